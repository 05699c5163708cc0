"""Pictures of a position.

`tabula.render.svg` draws boards for pages and notebooks, `tabula.render.text` for terminals, and `tabula.render.html` all plays of
a roll as a table. In a notebook positions, plays and lists of plays show themselves with them.

>>> from tabula import Position
>>> from tabula.render import svg, text
>>> svg.board(Position(), roll="652").startswith("<svg ")
True
>>> print(text.board(Position()).splitlines()[0])
  12 11 10  9  8  7    6  5  4  3  2  1
"""
