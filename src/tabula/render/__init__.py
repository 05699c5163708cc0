"""Pictures of a position.

`tabula.render.svg` draws boards for pages and notebooks, `tabula.render.text` draws them for terminals, and `tabula.render.html`
makes a page of a game, and a table of all plays of a roll. A notebook displays positions, plays and lists of plays with them.

>>> from tabula import Position
>>> from tabula.render import svg, text
>>> svg.board(Position(), roll="652").startswith("<svg ")
True
>>> print(text.board(Position()).splitlines()[0])
  12 11 10  9  8  7    6  5  4  3  2  1
"""
