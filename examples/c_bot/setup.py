"""python setup.py build_ext --inplace"""

from setuptools import Extension, setup

import tabula

setup(
    name="c_bot",
    ext_modules=[Extension("c_bot", ["module.c", "bot.c"], depends=["bot.h"], include_dirs=[tabula.get_include()])],
)
