from typing import final

from tabula.rules import Rules

@final
class CompiledRules:
    @property
    def rules(self) -> Rules: ...
