/**
 * Entry of the page. The host's HTML selects it by `<body data-view="sidebar">` or `"board"` (the default), and contains `<div id="root">`; it loads
 * main.css by a link and main.js by `<script type="module" nonce="…">`.
 */
import '@vscode/codicons/dist/codicon.css';
import 'uplot/dist/uPlot.min.css';
import './styles/base.css';
import './styles/board.css';
import './styles/details.css';
import './styles/cost.css';
import './styles/projects.css';
import './styles/talk.css';
import './styles/tasks.css';
import './styles/agents.css';
import './styles/plan.css';
import './styles/timeline.css';
import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { listen, post } from './store/bridge.ts';
import { postLook, receive } from './store/store.ts';

const root = document.getElementById('root') ?? document.body.appendChild(document.createElement('div'));
const asked = document.body.dataset['view'] ?? root.dataset['view'];
listen(receive);
createRoot(root).render(<App place={asked === 'sidebar' ? 'sidebar' : 'board'} />);
postLook();
post({ kind: 'ready' });
