import { render } from 'preact';
import { App } from './app.tsx';
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/parts.css';
import './styles/authentication.css';

const root = document.getElementById('root');
if (root) render(<App />, root);
