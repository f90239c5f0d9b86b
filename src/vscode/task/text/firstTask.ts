/** The initial text of a new task. It can be started unchanged. */
import type { l10n as editorTexts } from 'vscode';

export function firstTask(l10n: Pick<typeof editorTexts, 't'>): string {
  return [
    `# ${l10n.t('Steps run one after the other; "needs" changes that. Results are referred to by the name of their step.')}`,
    'name: Market Research',
    'objective: Create a comprehensive competitor analysis',
    'completionBehavior: NOTIFY_AND_SUMMARIZE',
    'steps:',
    '  - name: Identify Competitors',
    '    action: llm_generate',
    '    params:',
    '      prompt: List the top 10 companies of the field, one per line.',
    '    isCheckpoint: true',
    '  - name: Gather Details',
    '    action: llm_generate',
    '    params:',
    '      prompt: |',
    '        Say what each of these companies offers:',
    '        {{Identify Competitors}}',
    '',
  ].join('\n');
}
