"""The command line: one thin module for each verb, loaded only when the verb is called."""
