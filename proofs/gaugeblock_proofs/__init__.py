"""Machine-checked theorems about the shipped functions of `gaugeblock`, and the engine that explores them."""
