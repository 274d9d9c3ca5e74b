complete --keep-order --exclusive --command unstuck --arguments "(UNSTUCK_COMPLETE=fish unstuck -- (commandline --current-process --tokenize --cut-at-cursor) (commandline --current-token))"
