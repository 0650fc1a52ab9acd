"""Documents and the model's values, each made of the other. Everything that enters is judged strictly here.

Each kind of document has its module: :mod:`rounds <gaugeblock.wire.rounds>`, :mod:`decisions <gaugeblock.wire.decisions>`,
:mod:`policies <gaugeblock.wire.policies>`, :mod:`cases <gaugeblock.wire.cases>`, :mod:`protocol <gaugeblock.wire.protocol>`,
:mod:`traces <gaugeblock.wire.traces>`; :mod:`schema <gaugeblock.wire.schema>` gives the JSON Schemas of all.
"""
