/** Who may import whom: the architecture's rules as data. */

export interface Layer {
  /** Folder, from the root. */
  folder: string;
  /** Our own packages that it may import. */
  packages: readonly string[];
  /** Other folders of ours that it may reach into by path, beside its own. */
  folders: readonly string[];
  /** Modules of Node or from npm that it must not import. */
  forbids: readonly RegExp[];
}

const NODE = /^node:/;
const ELECTRON = /^electron(\/|-|$)/;
const FASTIFY = /^(fastify|@fastify\/)/;
const REACT = /^(react|react-dom|react-aria-components|@tanstack\/react-)(\/|$|[a-z])/;
const NONE = /(?!)/;

const layer = (folder: string, packages: string[], forbids: RegExp[], folders: string[] = []): Layer => ({
  folder,
  packages,
  folders,
  forbids: forbids.length > 0 ? forbids : [NONE],
});

export const LAYERS: readonly Layer[] = [
  layer('packages/domain/src', [], [NODE, ELECTRON, FASTIFY, REACT]),
  layer('packages/contract/src', ['domain'], [NODE, ELECTRON, FASTIFY, REACT]),
  layer('packages/speech/src', ['domain'], [ELECTRON, FASTIFY, REACT]),
  // Reads its prompts from disk: for the server alone.
  layer('packages/coach/src/model', ['domain'], [ELECTRON, FASTIFY, REACT], ['packages/coach/src']),
  layer('packages/file-permissions/src', [], [ELECTRON, FASTIFY, REACT]),
  layer('packages/coach/src', ['domain'], [NODE, ELECTRON, FASTIFY, REACT]),
  layer('packages/catalogue/src', ['domain'], [ELECTRON, FASTIFY, REACT]),
  layer('packages/ui/src', ['domain'], [NODE, ELECTRON, FASTIFY]),
  layer('desktop/src/renderer', ['contract', 'domain', 'ui'], [NODE, ELECTRON, FASTIFY]),
  layer(
    'desktop/src/host',
    ['contract', 'domain', 'speech', 'coach', 'catalogue', 'file-permissions'],
    [ELECTRON, FASTIFY, REACT],
  ),
  layer(
    'desktop/src/shell/browser',
    ['contract', 'domain', 'file-permissions'],
    [ELECTRON, FASTIFY, REACT],
    ['desktop/src/host', 'desktop/src/shell'],
  ),
  layer(
    'desktop/src/shell',
    ['contract', 'domain', 'speech', 'file-permissions'],
    [FASTIFY, REACT],
    ['desktop/src/host'],
  ),
  // React writes the HTML of e-mails, and nothing else on the server.
  layer('sync-server/src/mail/templates', ['domain'], [NODE, ELECTRON, FASTIFY]),
  layer(
    'sync-server/src',
    ['contract', 'domain', 'catalogue', 'coach', 'speech', 'file-permissions'],
    [ELECTRON, REACT],
  ),
];

/** Folders whose sub-folders are features, entered by others only through their `index.ts`. */
export const FEATURE_ROOTS: readonly string[] = [
  'desktop/src/host',
  'desktop/src/renderer',
  'sync-server/src/integrations',
  'sync-server/src',
];

/** Sub-folders that are no features but the frame around them. */
export const FRAMES: ReadonlySet<string> = new Set([
  'desktop/src/renderer/app',
  'sync-server/src/app',
  'sync-server/src/db',
]);
