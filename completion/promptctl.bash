# promptctl: completion for bash.
#
# The tables are those of `promptctl --help'; t/completion.t compares.

# _promptctl_options COMMAND: its options; those of all commands for ""
_promptctl_options() {
    case $1 in
        '')              echo --database --redis --url --key --json --help \
                              --version ;;
        migrate)         echo --grant ;;
        'user add')      echo --name ;;
        'user password') echo --valid ;;
        'key add')       echo --name --scope --expires ;;
        'key delete')    echo --valid ;;
        prune)           echo --older-than --statistics-older-than --dry-run ;;
        restore-check)   echo --new-identity ;;
        show)            echo --last ;;
        run)             echo --set --input --version --label \
                              --idempotency-key --stream ;;
        label)           echo --remove ;;
        executions)      echo --status --since --first ;;
        export)          echo --labels ;;
        import)          echo --labels --delete --dry-run ;;
        diff)            echo --labels --delete --exit-code ;;
    esac
}

# _promptctl_takes COMMAND OPTION: whether a value follows
_promptctl_takes() {
    case $2 in
        --json | --help | -h | --stream | --remove | --labels | --dry-run | \
            --new-identity | --delete | --exit-code)
            return 1 ;;
        --version)
            [ "$1" = run ] ;;
        -i | --*)
            return 0 ;;
        *)
            return 1 ;;
    esac
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
    local command='' word i n=0

    COMPREPLY=()

    # the words before this one: the command, and how many arguments it has

    for ((i = 1; i < COMP_CWORD; i++)); do
        word=${COMP_WORDS[i]}

        case $word in
            -*)
                ! _promptctl_takes "$command" "$word" || i=$((i + 1)) ;;
            *)
                case $command in
                    '')         command=$word ;;
                    user | key) command="$command $word" ;;
                    *)          n=$((n + 1)) ;;
                esac
            ;;
        esac
    done

    if [ "$COMP_CWORD" -gt 1 ] && _promptctl_takes "$command" "$prev"; then
        case $prev in
            --scope)  _promptctl_words read write execute keys ;;
            --status) _promptctl_words running succeeded failed cancelled lost
            ;;
            --input)  _promptctl_files -f ;;
        esac

        return
    fi

    case $cur in
        -*)
            # shellcheck disable=SC2046
            _promptctl_words $(_promptctl_options "$command") \
                $(_promptctl_options '')
            return
        ;;
    esac

    case $command in
        '')   _promptctl_words migrate prune restore-check prompts show run \
                  label executions export import diff user key ;;
        user) _promptctl_words add list password ;;
        key)  _promptctl_words add list delete ;;
        export | import | diff)
            [ "$n" -ne 0 ] || _promptctl_files -d
        ;;
    esac
}

complete -F _promptctl promptctl
