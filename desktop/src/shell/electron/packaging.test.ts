import { createRequire } from 'node:module';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, matchesGlob } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { routeOfFile } from './protocol/course-pack-file.ts';

const rootDir = fileURLToPath(new URL('../../../..', import.meta.url));
const require = createRequire(import.meta.url);
const configuration = () => parse(readFileSync(join(rootDir, 'electron-builder.yml'), 'utf8'));

/** The packager's own validation of a configuration. */
const { validateConfiguration } = require('app-builder-lib/out/util/config/config') as {
  validateConfiguration: (configuration: unknown, debug: { add: () => void; isEnabled: boolean }) => Promise<void>;
};
const validate = (config: unknown) => validateConfiguration(config, { add: () => undefined, isEnabled: false });

describe('electron-builder.yml', () => {
  it("is valid, and the packager's validation works", async () => {
    await expect(validate(configuration())).resolves.toBeUndefined();
    await expect(validate({ ...configuration(), asarUnpak: [] })).rejects.toThrow(/asarUnpak/);
  });

  it('packages for Windows, macOS and Linux', () => {
    const targets = Object.fromEntries(
      ['win', 'mac', 'linux'].map((system) => [
        system,
        configuration()[system].target.map(({ target }: { target: string }) => target),
      ]),
    );
    expect(targets).toEqual({ win: ['nsis'], mac: ['dmg', 'zip'], linux: ['AppImage', 'deb'] });
  });

  it.each([
    ['win', 'x64', ['win32-x64.node']],
    ['win', 'arm64', ['win32-arm64.node']],
    ['linux', 'x64', ['linux-x64.node']],
    ['linux', 'arm64', ['linux-arm64.node']],
    ['mac', 'universal', ['darwin-arm64.node', 'darwin-x64.node']],
  ])('packs only the native files of %s %s', (system, arch, expected) => {
    const folder = join(dirname(require.resolve('better-sqlite3/package.json')), 'prebuilds');
    const [included, ...excluded] = configuration()[system].files as string[];
    // With exclusions only, the packager would include the sources too.
    expect(included).toBe('package.json');
    const left = excluded
      .map((pattern) => pattern.replace('${arch}', arch).replace(/^!/, ''))
      .reduce(
        (names, pattern) =>
          names.filter((name) => !matchesGlob(`node_modules/better-sqlite3/prebuilds/${name}`, pattern)),
        readdirSync(folder),
      );
    expect(left.toSorted()).toEqual(expected);
  });

  it('asks only at uninstallation, and keeps the work by default', () => {
    const { include, deleteAppDataOnUninstall } = configuration().nsis;
    expect(deleteAppDataOnUninstall).toBe(false);
    const script = readFileSync(join(rootDir, include), 'utf8');
    for (const part of ['${ifNot} ${isUpdated}', 'MB_DEFBUTTON2', '/SD IDNO']) expect(script).toContain(part);
  });

  it('asks in every language of the interface', () => {
    const script = readFileSync(join(rootDir, configuration().nsis.include), 'utf8');
    // The language ids of Windows; English is the default.
    const ids = { ar: 1025, de: 1031, es: 3082, ja: 1041, 'pt-BR': 1046, 'zh-Hans': 2052 };
    const catalogues = readdirSync(join(rootDir, 'packages/i18n/src/locales')).map((file) => file.replace('.json', ''));
    expect(Object.keys(ids)).toEqual(catalogues);
    for (const id of Object.values(ids)) expect(script).toContain(`$LANGUAGE == ${id}\n`);
  });

  it('deletes the work of the learner after an installation for all users too', () => {
    const script = readFileSync(join(rootDir, configuration().nsis.include), 'utf8');
    // In an installation for all users, $APPDATA is ProgramData, which contains no learner's work.
    expect(script).toMatch(
      /\$installMode == "all"\s+SetShellVarContext current[^]+RMDir \/r "\$APPDATA\\Parley"[^]+\$installMode == "all"\s+SetShellVarContext all/,
    );
  });

  it('leaves neither a start at login nor links to a missing program behind, but an update keeps them', () => {
    const { nsis, protocols } = configuration();
    const script = readFileSync(join(rootDir, nsis.include), 'utf8');
    const [, atUninstallation = ''] =
      /\$\{ifNot\} \$\{isUpdated\}\n([^]*)\n {2}\$\{endIf\}\n!macroend/.exec(script) ?? [];
    const windows = 'Software\\Microsoft\\Windows\\CurrentVersion';
    // The app has registered both under its id.
    for (const line of [
      `DeleteRegValue HKCU "${windows}\\Run" "\${APP_ID}"`,
      `DeleteRegValue HKCU "${windows}\\Explorer\\StartupApproved\\Run" "\${APP_ID}"`,
      `DeleteRegKey HKCU "Software\\Classes\\${protocols[0].schemes[0]}"`,
    ])
      expect(atUninstallation).toContain(line);
  });

  it('declares microphone use on macOS for the hardened runtime', () => {
    const { mac } = configuration();
    expect(mac.hardenedRuntime).toBe(true);
    expect(mac.extendInfo.NSMicrophoneUsageDescription).toMatch(/practise/);
    // With the learner's consent, copies are sent to a server, and a cloud coach receives what is said.
    expect(mac.extendInfo.NSMicrophoneUsageDescription).not.toMatch(/this computer/);
    for (const file of [mac.entitlements, mac.entitlementsInherit]) {
      const entitlements = readFileSync(join(rootDir, file), 'utf8');
      expect(entitlements).toMatch(/<key>com\.apple\.security\.device\.audio-input<\/key>\s*<true\/>/);
    }
  });

  it('asks for the microphone on macOS in every language of the interface', () => {
    const { mac, electronLanguages } = configuration();
    const { from } = mac.extraResources.find(({ to }: { to: string }) => to === '.');
    const translated = electronLanguages.filter((language: string) => !language.startsWith('en'));
    expect(readdirSync(join(rootDir, from))).toEqual(
      translated.map((language: string) => `${language.replace('-', '_')}.lproj`).toSorted(),
    );
    for (const folder of readdirSync(join(rootDir, from)))
      expect(readFileSync(join(rootDir, from, folder, 'InfoPlist.strings'), 'utf8')).toMatch(
        /^NSMicrophoneUsageDescription = "[^"]*Parley[^"]+";\n$/,
      );
  });

  it('disables every way to run other code in the app', () => {
    expect(configuration().electronFuses).toMatchObject({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      grantFileProtocolExtraPrivileges: false,
    });
  });

  it('opens the course packs that the app recognises', () => {
    const [association] = configuration().fileAssociations;
    expect(association).toMatchObject({ ext: 'parleypack', mimeType: expect.stringMatching(/\+zip$/) });
    expect(routeOfFile(`/media/ada/a.${association.ext}`)).not.toBeNull();
  });

  it('names only files that exist', () => {
    const { win, mac, linux, extraResources } = configuration();
    const resources = [...extraResources, ...mac.extraResources].map(({ from }: { from: string }) => from);
    const files = [win.icon, mac.icon, linux.icon, ...resources];
    expect(files.filter((file) => !existsSync(join(rootDir, file)))).toEqual([]);
  });
});
