/** The name of a model, as providers write it. */

/** The name without a date or `-latest`. */
export const undatedModel = (model: string): string => model.replace(/-(\d{8}|latest)$/, '');
