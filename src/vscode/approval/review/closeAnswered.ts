import * as vscode from 'vscode';

/** Closes the reviews whose question is over, wherever it was answered. `titles`: of the reviews opened here, to what each asks. */
export async function closeAnswered<T>(titles: Map<string, T>, isOver: (asked: T) => boolean): Promise<void> {
  const over = [...titles].filter(([, asked]) => isOver(asked)).map(([title]) => title);
  if (over.length === 0) return;
  for (const title of over) titles.delete(title);
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  // The editor adds the number of files to the label.
  await vscode.window.tabGroups.close(tabs.filter(({ label }) => over.some((title) => label.startsWith(title))));
}
