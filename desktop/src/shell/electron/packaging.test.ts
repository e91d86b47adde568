import { createRequire } from 'node:module';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';

const rootDir = fileURLToPath(new URL('../../../..', import.meta.url));
const require = createRequire(import.meta.url);
const configuration = () => parse(readFileSync(join(rootDir, 'electron-builder.yml'), 'utf8'));

/** The packager's own check of a configuration. */
const { validateConfiguration } = require('app-builder-lib/out/util/config/config') as {
  validateConfiguration: (configuration: unknown, debug: { add: () => void; isEnabled: boolean }) => Promise<void>;
};
const validate = (config: unknown) => validateConfiguration(config, { add: () => undefined, isEnabled: false });

describe('electron-builder.yml', () => {
  it('is what the packager accepts, and the packager does look', async () => {
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

  it('says on macOS what the microphone is for, and may use it under the hardened runtime', () => {
    const { mac } = configuration();
    expect(mac.hardenedRuntime).toBe(true);
    expect(mac.extendInfo.NSMicrophoneUsageDescription).toMatch(/practise/);
    for (const file of [mac.entitlements, mac.entitlementsInherit]) {
      const entitlements = readFileSync(join(rootDir, file), 'utf8');
      expect(entitlements).toMatch(/<key>com\.apple\.security\.device\.audio-input<\/key>\s*<true\/>/);
    }
  });

  it('turns off every way to run other code in the app', () => {
    expect(configuration().electronFuses).toMatchObject({
      runAsNode: false,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      grantFileProtocolExtraPrivileges: false,
    });
  });

  it('names only files that exist', () => {
    const { win, mac, linux, extraResources } = configuration();
    const files = [win.icon, mac.icon, linux.icon, ...extraResources.map(({ from }: { from: string }) => from)];
    expect(files.filter((file) => !existsSync(join(rootDir, file)))).toEqual([]);
  });
});
