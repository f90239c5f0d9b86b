/** Scripts that make a shell ask the program: `autonomous __complete SHELL -- WORDS…`. They contain no words. */

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** First lines of an answer that leave the word to the shell. */
export const FILES = ':files';
export const FOLDERS = ':folders';

/** bash 3.2 of macOS has no `compopt`: it offers files where the program has no answer. */
const BASH = `# bash completion of autonomous
_autonomous() {
  local line
  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      ${FILES}) return ;;
      ${FOLDERS})
        local IFS=$'\\n'
        COMPREPLY=($(compgen -d -- "\${COMP_WORDS[COMP_CWORD]}"))
        type compopt >/dev/null 2>&1 && compopt -o filenames
        return ;;
    esac
    printf -v line %q "\${line%%$'\\t'*}"
    COMPREPLY+=("$line")
  done < <(autonomous __complete bash -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
  if type compopt >/dev/null 2>&1; then
    compopt +o default
    case \${COMPREPLY[0]-} in *=|*,) compopt -o nospace ;; esac
  fi
}
complete -o default -F _autonomous autonomous
`;

const ZSH = `#compdef autonomous
_autonomous() {
  local -a lines described ended
  local line word
  lines=("\${(@f)$(autonomous __complete zsh -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  case $lines[1] in
    ${FILES}) _files; return ;;
    ${FOLDERS}) _files -/; return ;;
  esac
  for line in $lines; do
    word=\${line%%$'\\t'*}
    line=\${word//:/\\\\:}:\${line#*$'\\t'}
    case $word in
      *=) ended+=("$line") ;;
      *) described+=("$line") ;;
    esac
  done
  _describe -t words autonomous described -- ended -S ''
}
if [[ $funcstack[1] == _autonomous ]]; then _autonomous "$@"; else compdef _autonomous autonomous; fi
`;

const FISH = `# fish completion of autonomous
function __autonomous_complete
    set -l words (commandline -opc) (commandline -ct)
    set -l lines (autonomous __complete fish -- $words[2..-1] 2>/dev/null)
    switch "$lines[1]"
        case '${FILES}'
            __fish_complete_path (commandline -ct)
        case '${FOLDERS}'
            __fish_complete_directories (commandline -ct)
        case '*'
            test (count $lines) -gt 0; and printf '%s\\n' $lines
    end
end
complete -c autonomous -f -a '(__autonomous_complete)'
`;

export const SCRIPTS: Readonly<Record<Shell, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
