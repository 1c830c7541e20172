/**
 * Completion for bash 3.2 and later; files from bash 4. The line is passed as it was typed, because bash splits it at characters
 * such as `=`. No candidate is ever evaluated, as `compgen -W` would do, and each is quoted if it needs to be.
 */
export const bashScript = `# Completion of siteward for bash.
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
