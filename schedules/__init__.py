"""Decisions: from a nest and a machine to the steps that `apply-schedule` replays. Nothing here changes a loop."""
