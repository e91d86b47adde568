/** Connects to the host, starts the learner's language, and then loads the app. */
import '@parley/ui/look.css';
import { connectToHost } from './foundation/host/host-connection.ts';
import { recordCrashes } from './foundation/host/record-crashes.ts';
import { reportTimeZone } from './foundation/host/report-time-zone.ts';
import { startLanguage } from './foundation/language/languages.ts';

const root = document.querySelector<HTMLElement>('#root');
if (root === null) throw new Error('index.html has no #root element.');
const connection = await connectToHost();
const recordCrash = recordCrashes(connection.client.support, window);
reportTimeZone(connection.client.app, document);
const { device } = await connection.client.settings.read();
const shownLanguage = await startLanguage(device.language);
const { renderApp } = await import('./app.tsx');
renderApp(root, connection, recordCrash);
const { trayTexts } = await import('./foundation/language/tray-texts.ts');
await connection.client.tray.setTexts(trayTexts());
if (shownLanguage !== device.shownLanguage) await connection.client.settings.updateDevice({ shownLanguage });
