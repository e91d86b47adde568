/** One server and one browser for the tests of a file, started before them and stopped after them. */
import type { Browser } from 'playwright';
import { afterAll, beforeAll } from 'vitest';
import {
  launchPanelBrowser,
  openPanel,
  type Panel,
  type PanelOptions,
  type PanelServer,
  type PanelServerOptions,
  startPanelServer,
} from './open-panel.ts';

export interface School {
  server: PanelServer;
  browser: Browser;
  /** Opens the panel, signed in as the admin. */
  open: (options?: PanelOptions) => Promise<Panel>;
}

/** The server and the browser can be used in tests and hooks, and not before. */
export function setUpSchool(options: PanelServerOptions = {}): Readonly<School> {
  let server: PanelServer | null = null;
  let browser: Browser | null = null;
  beforeAll(async () => {
    [server, browser] = await Promise.all([startPanelServer(options), launchPanelBrowser()]);
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });

  function started<Part>(part: Part | null): Part {
    if (part === null) throw new Error('The school is started before the first test.');
    return part;
  }

  return {
    get server() {
      return started(server);
    },
    get browser() {
      return started(browser);
    },
    open: (panelOptions) => openPanel(started(browser), started(server), panelOptions),
  };
}
