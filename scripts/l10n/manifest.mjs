/** Fields of package.json that the editor shows. */
const SHOWN = new Set([
  'title',
  'description',
  'markdownDescription',
  'enumDescriptions',
  'contents',
  'name',
  'label',
  'displayName',
]);
/** A person types their `name` or a model uses it, and their `inputSchema` is for the model. */
const NAMED_BY_ID = new Set(['chatParticipants', 'languageModelTools']);
const PARTS = ['contributes', 'capabilities'];

/** Calls `each` with every text that the editor shows, and replaces the text by the result. Includes `name` only for views. */
function walk(value, each, key = '', isById = false) {
  if (typeof value === 'string') return SHOWN.has(key) && !(isById && key === 'name') ? each(value) : value;
  if (key === 'inputSchema') return value;
  if (Array.isArray(value)) return value.map((item) => walk(item, each, key, isById));
  if (typeof value !== 'object' || value === null) return value;
  const parts = Object.entries(value).map(([name, part]) => {
    return [name, walk(part, each, name, isById || NAMED_BY_ID.has(name))];
  });
  return Object.fromEntries(parts);
}

function walkManifest(manifest, each) {
  const parts = PARTS.filter((part) => part in manifest).map((part) => [part, walk(manifest[part], each)]);
  return { ...manifest, ...Object.fromEntries(parts), description: each(manifest.description) };
}

/** Every text of the manifest that the editor shows, once. */
export function shownTexts(manifest) {
  const texts = new Set();
  walkManifest(manifest, (text) => {
    texts.add(text);
    return text;
  });
  return [...texts].sort();
}

/** The manifest with keys for texts, and the texts by key: `english`, and `translated` for those that `bundle` contains. */
export function localized(manifest, bundle) {
  const keys = new Map(shownTexts(manifest).map((text, at) => [text, `text.${at + 1}`]));
  const entries = [...keys].map(([text, key]) => [key, text]);
  return {
    manifest: walkManifest(manifest, (text) => `%${keys.get(text)}%`),
    english: Object.fromEntries(entries),
    translated: Object.fromEntries(
      entries.filter(([, text]) => bundle[text]).map(([key, text]) => [key, bundle[text]]),
    ),
  };
}
