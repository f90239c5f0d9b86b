/** The theme variables that VS Code hands a webview, for a plain browser. Values near the default themes. */

type Theme = Readonly<Record<string, string>>;

const FONTS: Theme = {
  'font-family': 'system-ui, "Segoe UI", Ubuntu, sans-serif',
  'font-size': '13px',
  'font-weight': 'normal',
  'editor-font-family': 'monospace',
};

const DARK: Theme = {
  foreground: '#cccccc',
  descriptionForeground: '#9d9d9d',
  'editor-background': '#1f1f1f',
  'sideBar-background': '#181818',
  'sideBarSectionHeader-border': '#2b2b2b',
  'panel-border': '#2b2b2b',
  'widget-border': '#313131',
  'editorWidget-background': '#202020',
  'editorWidget-foreground': '#cccccc',
  focusBorder: '#0078d4',
  'badge-background': '#616161',
  'badge-foreground': '#f8f8f8',
  'button-background': '#0078d4',
  'button-foreground': '#ffffff',
  'button-hoverBackground': '#026ec1',
  'button-secondaryBackground': '#313131',
  'button-secondaryForeground': '#cccccc',
  'button-secondaryHoverBackground': '#3c3c3c',
  'input-background': '#313131',
  'input-foreground': '#cccccc',
  'input-border': '#3c3c3c',
  'input-placeholderForeground': '#989898',
  'settings-textInputBackground': '#313131',
  'settings-textInputForeground': '#cccccc',
  'settings-textInputBorder': '#3c3c3c',
  'settings-dropdownBackground': '#313131',
  'settings-dropdownForeground': '#cccccc',
  'settings-dropdownBorder': '#3c3c3c',
  'settings-dropdownListBorder': '#454545',
  'list-hoverBackground': '#2a2d2e',
  'list-dropBackground': '#383b3d',
  'list-inactiveSelectionBackground': '#37373d',
  'textCodeBlock-background': '#2b2b2b',
  'list-focusOutline': '#0078d4',
  'toolbar-hoverBackground': '#5a5d5e50',
  'textLink-foreground': '#4daafc',
  'textBlockQuote-background': '#2b2b2b',
  'textBlockQuote-border': '#616161',
  'progressBar-background': '#0078d4',
  'scrollbarSlider-background': '#79797966',
  'panelTitle-activeForeground': '#cccccc',
  'panelTitle-inactiveForeground': '#9d9d9d',
  'panelTitle-activeBorder': '#0078d4',
  'editorWarning-foreground': '#cca700',
  'editorError-foreground': '#f14c4c',
  'charts-blue': '#3794ff',
  'charts-yellow': '#cca700',
  'charts-green': '#89d185',
  'charts-orange': '#d18616',
  'charts-purple': '#b180d7',
  'charts-red': '#f14c4c',
};

const LIGHT: Theme = {
  ...DARK,
  foreground: '#3b3b3b',
  descriptionForeground: '#5e5e5e',
  'editor-background': '#ffffff',
  'sideBar-background': '#f8f8f8',
  'sideBarSectionHeader-border': '#e5e5e5',
  'panel-border': '#e5e5e5',
  'widget-border': '#e5e5e5',
  'editorWidget-background': '#f8f8f8',
  'editorWidget-foreground': '#3b3b3b',
  focusBorder: '#005fb8',
  'badge-background': '#cccccc',
  'badge-foreground': '#3b3b3b',
  'button-background': '#005fb8',
  'button-hoverBackground': '#0258a8',
  'button-secondaryBackground': '#e5e5e5',
  'button-secondaryForeground': '#3b3b3b',
  'button-secondaryHoverBackground': '#cccccc',
  'input-background': '#ffffff',
  'input-foreground': '#3b3b3b',
  'input-border': '#cecece',
  'input-placeholderForeground': '#767676',
  'settings-textInputBackground': '#ffffff',
  'settings-textInputForeground': '#3b3b3b',
  'settings-textInputBorder': '#cecece',
  'settings-dropdownBackground': '#ffffff',
  'settings-dropdownForeground': '#3b3b3b',
  'settings-dropdownBorder': '#cecece',
  'settings-dropdownListBorder': '#cecece',
  'list-hoverBackground': '#f2f2f2',
  'list-dropBackground': '#d6ebff',
  'list-inactiveSelectionBackground': '#e4e6f1',
  'textCodeBlock-background': '#f0f0f0',
  'list-focusOutline': '#005fb8',
  'toolbar-hoverBackground': '#b8b8b850',
  'textLink-foreground': '#005fb8',
  'textBlockQuote-background': '#f8f8f8',
  'textBlockQuote-border': '#cecece',
  'progressBar-background': '#005fb8',
  'panelTitle-activeForeground': '#3b3b3b',
  'panelTitle-inactiveForeground': '#5e5e5e',
  'panelTitle-activeBorder': '#005fb8',
  'editorWarning-foreground': '#8a6d00',
  'editorError-foreground': '#c72e2e',
  'charts-blue': '#1a85ff',
  'charts-yellow': '#8a6d00',
  'charts-green': '#388a34',
  'charts-orange': '#b5651d',
  'charts-purple': '#652d90',
  'charts-red': '#c72e2e',
};

/** A high contrast theme: two colours, borders everywhere. */
function highContrast(base: Theme, paper: string, ink: string, border: string, focus: string): Theme {
  const recoloured = Object.keys(base).map((name) => {
    if (/^charts|Warning|Error/.test(name)) return [name, base[name] ?? ink];
    if (/background$/i.test(name)) return [name, /progress|badge/.test(name) ? border : paper];
    if (/border$/i.test(name)) return [name, border];
    return [name, ink];
  });
  return {
    ...Object.fromEntries(recoloured),
    contrastBorder: border,
    contrastActiveBorder: focus,
    focusBorder: focus,
    'badge-background': paper,
    'badge-foreground': ink,
    'button-border': border,
  };
}

const THEMES = {
  dark: { kind: 'vscode-dark', variables: DARK },
  light: { kind: 'vscode-light', variables: LIGHT },
  hc: { kind: 'vscode-high-contrast', variables: highContrast(DARK, '#000000', '#ffffff', '#6fc3df', '#f38518') },
  'hc-light': {
    kind: 'vscode-high-contrast-light',
    variables: highContrast(LIGHT, '#ffffff', '#292929', '#0f4a85', '#006bbd'),
  },
} as const;

/** Replaces the theme of the page as VS Code does: variables on the root, the kind on the body. Unknown names select dark. */
export function applyTheme(name: string): void {
  const { kind, variables } = Object.hasOwn(THEMES, name) ? THEMES[name as keyof typeof THEMES] : THEMES.dark;
  document.body.classList.remove(...Object.values(THEMES).map((theme) => theme.kind));
  for (const variable of [...document.documentElement.style]) {
    if (variable.startsWith('--vscode-')) document.documentElement.style.removeProperty(variable);
  }
  for (const [variable, value] of Object.entries({ ...FONTS, ...variables })) {
    document.documentElement.style.setProperty(`--vscode-${variable}`, value);
  }
  document.body.classList.add(kind);
  document.body.dataset['vscodeThemeKind'] = kind;
  const paper = document.body.dataset['view'] === 'sidebar' ? 'sideBar-background' : 'editor-background';
  document.body.style.background = `var(--vscode-${paper})`;
}
