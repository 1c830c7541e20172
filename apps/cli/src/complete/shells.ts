/**
 * Completion for bash 3.2 and later; files from bash 4. The line is passed as it was typed, because bash splits it at characters
 * such as `=`. No candidate is ever evaluated, as `compgen -W` would do, and each is quoted if it needs to be.
 */
const bashScript = `# Completion of siteward for bash.
_siteward() {
  local line kind='' quoted
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ -z $kind ]]; then
      kind=$line
    else
      quoted=$line
      [[ $line == *[!A-Za-z0-9_.,:=-]* ]] && printf -v quoted '%q' "$line"
      COMPREPLY+=("$quoted")
    fi
  done < <(command siteward __complete bash "$COMP_WORDBREAKS" "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null </dev/null)
  case $kind in
    file) compopt -o default 2>/dev/null ;;
    list) compopt -o nospace 2>/dev/null ;;
  esac
  return 0
}
complete -F _siteward siteward
`;

/**
 * Completion for zsh 5 and later. It works from a file in \`$fpath\` and when it is sourced. zsh quotes what it inserts. In the
 * texts that \`_describe\` reads, a colon ends the value.
 */
const zshScript = `#compdef siteward
# Completion of siteward for zsh.
_siteward() {
  local kind line value
  local -a lines items
  lines=("\${(@f)$(command siteward __complete zsh "\${(@Q)words[2,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null </dev/null)}")
  kind=$lines[1]
  if [[ $kind == file ]]; then
    compset -P '--[^=]#='
    _files
    return
  fi
  for line in "\${(@)lines[2,-1]}"; do
    value=\${line%%$'\\t'*}
    value=\${value//\\\\/\\\\\\\\}
    items+=("\${value//:/\\\\:}:\${line#*$'\\t'}")
  done
  (( $#items )) || return 1
  if [[ $kind == list ]]; then
    _describe -t values value items -S ''
  else
    _describe -t values value items
  fi
}
if [[ $funcstack[1] == _siteward ]]; then
  _siteward "$@"
else
  (( $+functions[compdef] )) || { autoload -Uz compinit && compinit }
  compdef _siteward siteward
fi
`;

/** Completion for fish 3.4 and later. fish quotes what it inserts. */
const fishScript = `# Completion of siteward for fish.
function __siteward_complete
    set -l words (commandline -opc)
    set -l plain (commandline -ct | string unescape)
    set -l answer (command siteward __complete fish $words[2..-1] "$plain" 2>/dev/null </dev/null)
    if test "$answer[1]" = file
        set -l flag (string match -r -- '^--[^=]+=' "$plain")
        for path in (__fish_complete_path (string replace -- "$flag" '' "$plain"))
            printf '%s%s\\n' "$flag" "$path"
        end
    else
        printf '%s\\n' $answer[2..-1]
    end
end
complete -c siteward -f -a '(__siteward_complete)'
`;

/**
 * Completion for PowerShell 5.1 and later. The words are passed in a variable: PowerShell before 7.3 drops empty arguments and
 * breaks those with quotes, and on Windows the CLI is started by a batch file, which would evaluate them.
 */
const powershellScript = `# Completion of siteward for PowerShell.
Register-ArgumentCompleter -Native -CommandName siteward -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    $words = @(
        foreach ($element in @($commandAst.CommandElements | Select-Object -Skip 1)) {
            if ($element.Extent.EndOffset -ge $cursorPosition) { break }
            if ($element -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $element.Value }
            else { $element.Extent.Text }
        }
    )
    $typed = "$wordToComplete".Trim([char[]]@("'", '"'))
    $encoding = [Console]::OutputEncoding
    try {
        [Console]::OutputEncoding = [System.Text.Encoding]::UTF8
        $env:SITEWARD_COMPLETION_WORDS = (@($words) + $typed) -join "\`n"
        $answer = @(& siteward __complete powershell 2>$null)
    } catch {
        return
    } finally {
        Remove-Item Env:SITEWARD_COMPLETION_WORDS -ErrorAction SilentlyContinue
        [Console]::OutputEncoding = $encoding
    }
    if ($answer.Count -lt 2) { return }
    foreach ($line in $answer[1..($answer.Count - 1)]) {
        $value, $meaning = $line -split "\`t", 2
        $inserted = $value
        if ($value -cnotmatch '^[A-Za-z0-9_./:=-]+$') {
            $quotable = [System.Management.Automation.Language.CodeGeneration]::EscapeSingleQuotedStringContent($value)
            $inserted = "'" + $quotable + "'"
        }
        if (-not $meaning) { $meaning = $value }
        [System.Management.Automation.CompletionResult]::new($inserted, $value, 'ParameterValue', $meaning)
    }
}
`;

/** The completion script of each shell. It asks the CLI at each press of Tab. */
export const shells = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
} as const;

/** The name of a shell. */
export type Shell = keyof typeof shells;

/** Whether there is a script for the shell with this name. */
export function isShell(text: string): text is Shell {
  return Object.hasOwn(shells, text);
}
