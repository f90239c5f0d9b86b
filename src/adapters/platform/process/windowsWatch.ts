/** Ends on Windows what a command has started: when the command is over, and also if this process dies. */
import type { Clock } from '../../../shared/clock.ts';
import { systemProgram } from '../windows.ts';
import { type DeathWatch, startWatcher } from './deathWatch.ts';

/** Contains the script, which cmd would read otherwise. */
const VARIABLE = 'AUTONOMOUS_WATCH';
/** Without an input format, PowerShell leaves the standard input to the script. */
const RUN = `-NoProfile -NonInteractive -InputFormat None -Command "Invoke-Expression $env:${VARIABLE}"`;
/** After that, a watcher that does not end is given up. */
const END_MS = 15_000;
const LOOK_MS = 2_000;
const ROUNDS = 50;

/**
 * Reads the process id of the command, then `done`, and looks meanwhile at what descends from it: Windows keeps the id of
 * a parent that has ended. A process counts as a child only if it was created while the id was its parent's, and is ended
 * only through a handle whose process was created at the same time: a reused id is never ended. Windows PowerShell is part
 * of Windows.
 */
const SCRIPT = `
$ErrorActionPreference = 'SilentlyContinue'
$never = [DateTime]::MaxValue
$began = (Get-Process -Id $PID).StartTime
$known = @{}
function Get-Rows($filter) { Get-CimInstance Win32_Process -Filter $filter -Property ProcessId, ParentProcessId, CreationDate }
function Add-Known($id, $from, $until) { $known[[int]$id] = @{ From = $from; Until = $until } }
function Add-Command($id) {
  $row = Get-Rows ('ProcessId = {0}' -f $id)
  if ($row -and $row.CreationDate -ge $began) { Add-Known $id $row.CreationDate $never } else { Add-Known $id $began ([DateTime]::Now) }
}
function Find-Descendants {
  $now = [DateTime]::Now
  $rows = @(Get-Rows 'ProcessId > 0')
  $present = @{}
  foreach ($row in $rows) { $present[[int]$row.ProcessId] = $row.CreationDate }
  foreach ($one in @($known.Keys)) {
    if ($known[$one].Until -eq $never -and $present[$one] -ne $known[$one].From) { $known[$one].Until = $now }
  }
  do {
    $more = $false
    foreach ($row in $rows) {
      $parent = $known[[int]$row.ParentProcessId]
      if ($known.ContainsKey([int]$row.ProcessId) -or -not $parent) { continue }
      if ($row.CreationDate -lt $parent.From -or $row.CreationDate -gt $parent.Until) { continue }
      Add-Known $row.ProcessId $row.CreationDate $never
      $more = $true
    }
  } while ($more)
}
function Stop-Known {
  $left = 0
  foreach ($one in @($known.Keys)) {
    if ($known[$one].Until -ne $never) { continue }
    $process = Get-Process -Id $one
    if (-not $process -or -not $process.Handle) { continue }
    if ([Math]::Abs(($process.StartTime - $known[$one].From).TotalMilliseconds) -ge 1) { continue }
    $left++
    $process.Kill()
  }
  $left
}
$words = New-Object IO.StreamReader ([Console]::OpenStandardInput())
$read = $words.ReadLineAsync()
while ($true) {
  if (-not $read.Wait(${LOOK_MS})) { Find-Descendants; continue }
  if ($null -eq $read.Result -or $read.Result -eq 'done') { break }
  Add-Command $read.Result
  $read = $words.ReadLineAsync()
}
for ($round = 0; $round -lt ${ROUNDS}; $round++) {
  Find-Descendants
  if ((Stop-Known) -eq 0) { break }
}
`;

/**
 * Call before the command starts: it finds nothing that started earlier. When this process dies, Windows ends its children, but not theirs: so
 * PowerShell is started through cmd. As a detached process, without a console, it would end before it runs anything.
 */
export function watchDescendants(env: Readonly<Record<string, string>>, clock: Clock): DeathWatch {
  const powershell = systemProgram(env, 'WindowsPowerShell', 'v1.0', 'powershell.exe');
  const args = ['/d', '/s', '/c', `""${powershell}" ${RUN}"`];
  const watcher = startWatcher(systemProgram(env, 'cmd.exe'), args, {
    env: { ...env, [VARIABLE]: SCRIPT },
    windowsVerbatimArguments: true,
  });
  const over = new Promise<void>((resolve) => {
    watcher.once('exit', () => resolve());
    watcher.once('error', () => resolve());
  });
  return {
    leads: (pid) => void watcher.stdin?.write(`${pid}\n`),
    done: async () => {
      const cancel = clock.timer(END_MS, () => watcher.kill());
      watcher.stdin?.end('done\n');
      await over;
      cancel();
    },
  };
}
