/** Closes reviews whose question has been answered, also in another window. */
import * as vscode from 'vscode';

/** `titles` maps the title of each review opened here to its question. */
export async function closeAnswered<T>(titles: Map<string, T>, isOver: (asked: T) => boolean): Promise<void> {
  const over = [...titles].filter(([, asked]) => isOver(asked)).map(([title]) => title);
  if (over.length === 0) return;
  for (const title of over) titles.delete(title);
  const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
  // The editor adds the number of files to the label.
  await vscode.window.tabGroups.close(tabs.filter(({ label }) => over.some((title) => label.startsWith(title))));
}
