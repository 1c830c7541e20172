/**
 * Completion for PowerShell 5.1 and later. The words are passed in a variable: PowerShell before 7.3 drops empty arguments and
 * breaks those with quotes, and on Windows the CLI is started by a batch file, which would evaluate them.
 */
export const powershellScript = `# Completion of siteward for PowerShell.
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
