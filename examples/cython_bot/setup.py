"""python setup.py build_ext --inplace"""

from Cython.Build import cythonize
from setuptools import Extension, setup

import tabula

setup(
    name="cython_bot",
    ext_modules=cythonize([Extension("cython_bot", ["cython_bot.pyx"], include_dirs=[tabula.get_include()])]),
)
