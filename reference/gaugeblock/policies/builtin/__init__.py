"""The built-in policies, one module for each kind (POL). Each is an immutable value and a pure function of what it is given."""
