/** Loads the language of the panel, and then the panel itself. */
import '@parley/ui/look.css';
import { readLanguageChoice, startLanguage } from './foundation/language/languages.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root element.');
await startLanguage(readLanguageChoice());
const { renderPanel } = await import('./panel.tsx');
renderPanel(root);
