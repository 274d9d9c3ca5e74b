
set edit:completion:arg-completer[unstuck] = { |@words|
    var index = (count $words)
    set index = (- $index 1)

    put (env _CLAP_IFS="\n" _CLAP_COMPLETE_INDEX=(to-string $index) UNSTUCK_COMPLETE="elvish" unstuck -- $@words) | to-lines
}

