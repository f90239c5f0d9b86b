/** Ids of the views, separate from their declarations, which the extension does not load. */
export const PANEL_VIEW = 'autonomous.panel';
export const JOBS_VIEW = 'autonomous.jobs';
/** Type of the board as an editor tab. */
export const BOARD_PANEL = 'autonomous.board';
