/** Resolves a name to one of the editor's language models. */
import type * as vscode from 'vscode';

/** As a setting or a job names it: `<vendor>/<id>`. */
export function nameOfModel({ vendor, id }: Pick<vscode.LanguageModelChat, 'vendor' | 'id'>): string {
  return `${vendor}/${id}`;
}

/** Finds a model by `<vendor>/<id>`, else by id, else by family. Returns null if there is none. */
export async function findModel(
  editor: Pick<typeof vscode, 'lm'>,
  name: string,
): Promise<vscode.LanguageModelChat | null> {
  const models = await editor.lm.selectChatModels({});
  return (
    models.find((model) => nameOfModel(model) === name) ??
    models.find(({ id }) => id === name) ??
    models.find(({ family }) => family === name) ??
    null
  );
}
