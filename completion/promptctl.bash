# promptctl: completion for bash.  Commands, options and their values are those
# that `promptctl --help' and `promptctl COMMAND --help' name.

# the help of a command, or of all of them; a folder of one's own may be ~
_promptctl_help() {
    # shellcheck disable=SC2086
    "${COMP_WORDS[0]/#\~/$HOME}" $1 --help 2>/dev/null
}

# of what is in $help the two lines about an option
_promptctl_option() {
    [[ $1 =~ ^--?[a-z-]+$ ]] \
        && grep -m 1 -A 1 -E -e "^  (    |-., )$1( |\$)" -e "^  $1, " \
            <<< "$help"
}

# the name of the value that follows an option; fails where none does
_promptctl_takes() {
    _promptctl_option "$1" | sed -n '1s/.*--[a-z-]* //p' | grep .
}

# of the words those that begin as the one at the cursor does
_promptctl_words() {
    mapfile -t COMPREPLY < <(compgen -W "$*" -- "$cur")
}

# files (-f) or folders (-d); their names may have spaces
_promptctl_files() {
    mapfile -t COMPREPLY < <(compgen "$1" -- "$cur")
    compopt -o filenames 2>/dev/null
}

_promptctl() {
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
    local command='' word i n=0 help commands

    COMPREPLY=()
    help=$(_promptctl_help '') || return
    commands=$(sed -n '/^Commands:/,/^$/s/^  \(.*[^ ]\)  .*/\1/p' <<< "$help" \
               | sed 's/  .*//')

    # the words before this one: the command, and how many arguments it has

    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}

        if [[ $word == -* ]]; then
            [ -z "$(_promptctl_takes "$word")" ] || i=$((i + 1))
            continue
        fi

        # half a command stays one until its other word is there

        if [ -z "$command" ] || ! grep -qx "$command" <<< "$commands"; then
            command=${command:+$command }$word
            ! grep -qx "$command" <<< "$commands" \
                || help=$(_promptctl_help "$command")
        else
            n=$((n + 1))
        fi
    done

    if [ "$COMP_CWORD" -gt 1 ] && word=$(_promptctl_takes "$prev"); then
        case $word in
            FILE)
                _promptctl_files -f ;;
            SCOPE | STATUS)
                # shellcheck disable=SC2046
                _promptctl_words $(_promptctl_option "$prev" \
                    | sed -n '2{ s/;.*//; s/,//g; s/ or / /; p; }')
            ;;
        esac

        return
    fi

    if [[ $cur == -* ]]; then
        # shellcheck disable=SC2046
        _promptctl_words $(sed -n 's/^  \(    \|-., \)\(--[a-z-]*\).*/\2/p' \
            <<< "$help")

    elif [ -z "$command" ]; then
        # shellcheck disable=SC2046
        _promptctl_words $(cut -d ' ' -f 1 <<< "$commands")

    elif ! grep -qx "$command" <<< "$commands"; then
        # shellcheck disable=SC2046
        _promptctl_words $(sed -n "s/^$command //p" <<< "$commands")

    elif [ "$n" -eq 0 ] && [[ $help == "Usage: promptctl $command DIR"* ]]; then
        _promptctl_files -d
    fi
}

complete -F _promptctl promptctl
