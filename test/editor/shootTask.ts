/** A picture for the README: a task under way, with steps side by side; one waits for a time, one for the steward. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DARK, PICTURE_SIZE } from './pictures.ts';
import { inWindow, type Workplace, type World } from './world.ts';

/** Each answer of the model takes so long that the steps are caught while one of them runs. */
const SLOW = { 'autonomous.simulated.delayMs': 8_000 };
const TASK = `name: Competitor analysis
objective: Which products come closest to ours, and what we publish about their prices
completionBehavior: NOTIFY_AND_SUMMARIZE
budgetUsd: 2
provider: simulated
scenario: tasks
steps:
  - name: Find competitors
    action: llm_generate
    params: { prompt: List top 10 AI companies }
  - name: Products
    action: llm_generate
    needs: [Find competitors]
    params: { prompt: "For each competitor its product: {{Find competitors}}" }
  - name: Prices
    action: llm_generate
    needs: [Find competitors]
    params: { prompt: "For each competitor its price: {{Find competitors}}" }
  - name: Wait for the launch
    action: wait
    needs: []
    params: { minutes: 90 }
  - name: Strengths
    action: llm_generate
    needs: [Products]
    params: { prompt: "Compare: {{Products}}" }
  - name: Publish prices?
    action: approval
    needs: [Prices]
    params: { question: "Publish these prices?", detail: "{{Prices}}", choices: [all of them, without names] }
  - name: Report
    action: llm_generate
    needs: [Strengths, "Publish prices?"]
    params: { prompt: "An analysis of {{Strengths}}" }
  - name: Tell everybody
    action: notify
    needs: [Report, Wait for the launch]
    params: { title: The analysis is there, message: "{{Report}}" }
`;

async function startedTask({ terminal, folder }: Workplace): Promise<void> {
  const file = join(folder, 'market.task.yaml');
  await writeFile(file, TASK);
  await terminal.ask('task', 'new', file, '--start');
}

export async function pictureOfTask(world: World): Promise<void> {
  const opened = { prepare: startedTask, size: PICTURE_SIZE, user: DARK, machine: SLOW };
  await inWindow(world, opened, async ({ window, pictures }) => {
    await window.command('View: Toggle Primary Side Bar Visibility');
    await window.command('Autonomous: Show Tasks');
    await window.input.pick('Show');
    const board = await window.frameWith('.task-page .question-link');
    await board.locator('.graph-place').filter({ hasText: 'Products' }).getByRole('button').click();
    await board.locator('.value-result').waitFor();
    await pictures.take('task');
  });
}
