extension CompletingShell {
    /// A script of zsh that types lines into a shell on a pseudo-terminal, each followed by Tab.
    ///
    /// Its arguments are the shell, the mode, the completions, a file of commands that come first, and
    /// the lines. For each line it prints the offered words (`candidates`), the words of the command
    /// after Tab and Return (`typed`), or the drawn text (`shown`), and then `<end>`.
    static let driver = #"""
        zmodload zsh/zpty
        shell=$1 mode=$2
        export FETCH_MODE=$2 FETCH_COMPLETIONS=$3 FETCH_SETUP=$4 FETCH_RESULTS=$SCRATCH/results
        shift 4
        trap 'zpty -d child 2>/dev/null' EXIT
        mkfifo $FETCH_RESULTS
        exec {results}<>$FETCH_RESULTS
        if [[ $shell == bash ]]; then
            cat >$SCRATCH/rc <<'RC'
        bind 'set enable-bracketed-paste off'
        bind 'set completion-query-items 0'
        bind 'set page-completions off'
        bind 'set bell-style none'
        PS1='> '
        result() { printf '%s\n' "$@" '<end>' >"$FETCH_RESULTS"; }
        fetch() { result "$@"; }
        . "$FETCH_SETUP"
        . "$FETCH_COMPLETIONS"
        if [[ $FETCH_MODE == candidates ]]; then
            compopt() {
                options+=("<$2>")
                builtin compopt "$@"
            }
            probe() {
                local options=()
                __fetch || options+=("<status $?>")
                result "${COMPREPLY[@]}" "${options[@]}"
                COMPREPLY=()
            }
            complete -F probe fetch
        fi
        RC
            zpty -b child env TERM=dumb bash --noprofile --rcfile $SCRATCH/rc -i
        else
            cat >$SCRATCH/.zshrc <<'RC'
        PS1='> '
        unset zle_bracketed_paste
        setopt nobeep
        LISTMAX=1000
        result() { print -rl -- "$@" '<end>' >$FETCH_RESULTS }
        fetch() { result "$@" }
        . $FETCH_SETUP
        fpath=(${FETCH_COMPLETIONS:h} $fpath)
        autoload -Uz compinit
        compinit -D -u
        if [[ $FETCH_MODE == candidates ]]; then
            compadd() {
                local -a hits
                if (( ! ${@[(I)-[a-zA-Z]#(O|A|D)]} )); then
                    builtin compadd -A hits "$@"
                    found+=($hits)
                fi
                builtin compadd "$@"
            }
            probe() {
                local -a found
                _main_complete
                result $found
                compstate[insert]= compstate[list]=
            }
            zle -C probe complete-word probe
            bindkey '^I' probe
        fi
        RC
            zpty -b child env TERM=dumb COLUMNS=120 ZDOTDIR=$SCRATCH zsh -d -i
        fi
        drain() {
            local text
            while zpty -r -t child text; do screen+=$text; done
        }
        for line in "$@"; do
            screen=
            zpty -n -w child "$line"$'\t'
            [[ $mode == candidates ]] || zpty -n -w child $'\n'
            integer tries=1000
            while true; do
                if read -r -t 0.05 -u $results word; then
                    [[ $word != '<end>' ]] || break
                    [[ $mode == shown ]] || print -r -- $word
                    continue
                fi
                drain
                if (( --tries < 0 )); then
                    print -ru2 -- "no result for '$line': $screen"
                    exit 1
                fi
            done
            # Whatever the line has become, it goes.
            [[ $mode != candidates ]] || zpty -n -w child $'\x15'
            drain
            [[ $mode != shown ]] || print -r -- ${screen//$'\r'/}
            print '<end>'
        done
        """#

    /// The same for fish, which needs no terminal.
    static let fishDriver = #"""
        source $argv[4]
        source $argv[3]
        for line in $argv[5..]
            if test $argv[2] = shown
                complete -C $line
            else
                complete -C $line | string replace -r '\t.*' ''
            end
            echo '<end>'
        end
        """#
}
