"""The documentation that is made from the code: reference pages, and pages whose code is run."""
