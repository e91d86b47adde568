/** The import rules of the architecture as data. */

export interface Layer {
  /** Folder, relative to the repository root. */
  folder: string;
  /** Workspace packages that the layer may import. */
  packages: readonly string[];
  /** Other folders that the layer may import by relative path. */
  folders: readonly string[];
  /** Node or npm modules that the layer must not import. */
  forbids: readonly RegExp[];
}

const NODE = /^node:/;
const ELECTRON = /^electron(\/|-|$)/;
const FASTIFY = /^(fastify|@fastify\/)/;
const REACT = /^(react|react-dom|react-aria-components|@tanstack\/react-)(\/|$|[a-z])/;
const NOTHING_FORBIDDEN = /(?!)/;

const defineLayer = (folder: string, packages: string[], forbids: RegExp[], folders: string[] = []): Layer => ({
  folder,
  packages,
  folders,
  forbids: forbids.length > 0 ? forbids : [NOTHING_FORBIDDEN],
});

export const LAYERS: readonly Layer[] = [
  defineLayer('packages/domain/src', [], [NODE, ELECTRON, FASTIFY, REACT]),
  defineLayer('packages/contract/src', ['domain'], [NODE, ELECTRON, FASTIFY, REACT]),
  defineLayer('packages/speech/src', ['domain'], [ELECTRON, FASTIFY, REACT]),
  defineLayer('packages/speech-pack/src', [], [ELECTRON, FASTIFY, REACT]),
  // The coach model reads its prompts from disk, so only the server can use it.
  defineLayer('packages/coach/src/model', ['domain'], [ELECTRON, FASTIFY, REACT], ['packages/coach/src']),
  defineLayer('packages/file-permissions/src', [], [ELECTRON, FASTIFY, REACT]),
  defineLayer('packages/idle-memory/src', [], [ELECTRON, FASTIFY, REACT]),
  defineLayer('packages/coach/src', ['domain'], [NODE, ELECTRON, FASTIFY, REACT]),
  defineLayer('packages/catalogue/src', ['domain'], [ELECTRON, FASTIFY, REACT]),
  defineLayer('packages/i18n/src', [], [NODE, ELECTRON, FASTIFY, REACT]),
  defineLayer('packages/ui/src', ['domain', 'i18n'], [NODE, ELECTRON, FASTIFY]),
  defineLayer('desktop/src/renderer', ['contract', 'domain', 'i18n', 'ui'], [NODE, ELECTRON, FASTIFY]),
  defineLayer(
    'desktop/src/host',
    ['contract', 'domain', 'speech', 'speech-pack', 'coach', 'catalogue', 'file-permissions'],
    [ELECTRON, FASTIFY, REACT],
  ),
  defineLayer(
    'desktop/src/shell/browser',
    ['contract', 'domain', 'file-permissions'],
    [ELECTRON, FASTIFY, REACT],
    ['desktop/src/host', 'desktop/src/shell'],
  ),
  defineLayer(
    'desktop/src/shell',
    ['contract', 'domain', 'speech', 'file-permissions'],
    [FASTIFY, REACT],
    ['desktop/src/host'],
  ),
  defineLayer('sync-server/admin/src', ['contract', 'domain', 'i18n', 'ui'], [NODE, ELECTRON, FASTIFY]),
  // The e-mail templates are the only place on the server that uses React.
  defineLayer('sync-server/src/mail/templates', ['domain', 'i18n'], [NODE, ELECTRON, FASTIFY]),
  defineLayer(
    'sync-server/src',
    ['contract', 'domain', 'i18n', 'catalogue', 'coach', 'speech', 'speech-pack', 'file-permissions'],
    [ELECTRON, REACT],
  ),
  defineLayer(
    'sync-server/src/compose',
    ['contract', 'domain', 'i18n', 'catalogue', 'coach', 'speech', 'file-permissions', 'idle-memory', 'fakes'],
    [ELECTRON, REACT],
    ['sync-server/src'],
  ),
];

/** Forbids imports of one part by another, whatever the layers allow. */
export interface Ban {
  /** Shown with each violation. */
  rule: string;
  /** Folder or file of the importing code. */
  from: string;
  /** Folders or files below `from` to which the rule does not apply. */
  except: readonly string[];
  /** Matches the resolved path of a relative import, or the specifier of a package. */
  to: RegExp;
}

const COMPOSE = 'sync-server/src/compose';
const INTEGRATIONS = 'sync-server/src/integrations';
/** The only product file that knows a fake: it starts the payments of a development server without a key. */
const DEVELOPMENT_PAYMENTS = `${COMPOSE}/development-payments.ts`;

export const BANS: readonly Ban[] = [
  {
    rule: 'integrations import no feature',
    from: INTEGRATIONS,
    except: [],
    to: /^sync-server\/src\/(?!integrations\/|ports\/)/,
  },
  {
    rule: 'ports import neither features nor adapters',
    from: 'sync-server/src/ports',
    except: [],
    to: /^sync-server\/src\/(?!ports\/)/,
  },
  {
    rule: 'only integrations import the SDK of a provider',
    from: '',
    except: [INTEGRATIONS, 'fakes'],
    to: /^(openai|stripe|nodemailer|microsoft-cognitiveservices-speech-sdk|@aws-sdk\/client-s3)(\/|$)/,
  },
  {
    rule: 'only the composition root knows adapters',
    from: 'sync-server/src',
    except: [COMPOSE, INTEGRATIONS],
    to: /^sync-server\/src\/integrations\//,
  },
  {
    rule: 'host/store imports no feature',
    from: 'desktop/src/host/store',
    except: [],
    to: /^desktop\/src\/host\/(?!store\/)/,
  },
  {
    rule: 'screens do not import the frame with its router',
    from: 'desktop/src/renderer',
    except: ['desktop/src/renderer/frame', 'desktop/src/renderer/app.tsx'],
    to: /^desktop\/src\/renderer\/frame\//,
  },
  {
    rule: 'production code imports no fakes, test kits or benchmarks',
    from: '',
    except: ['fakes', DEVELOPMENT_PAYMENTS],
    to: /^@parley\/(fakes|test-kit)(\/|$)|(^|\/)test-kit\/|^(bench|fakes)\//,
  },
];

/** Folders whose subfolders are features, which others import only through their `index.ts`. */
export const FEATURE_ROOTS: readonly string[] = [
  'desktop/src/host',
  'desktop/src/renderer',
  'sync-server/src/integrations',
  'sync-server/src',
];

/** Subfolders that are shared by the features, so any of their files may be imported. */
export const SHARED_FOLDERS: ReadonlySet<string> = new Set([
  'desktop/src/renderer/foundation',
  'desktop/src/renderer/frame',
  'sync-server/src/compose',
  'sync-server/src/http',
  'sync-server/src/ports',
  'sync-server/src/web',
  'sync-server/src/site',
  'sync-server/src/db',
]);
