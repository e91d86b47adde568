/** Ensures that the end-to-end tests have a browser and the audio programs. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { findBrowser } from '../../desktop/src/shell/browser/find-browser.ts';
import { runProgram } from '../run-program.ts';

/** Programs with which the tests synthesise and decode speech, each with its Debian package. */
const PROGRAMS: readonly { program: string; debianPackage: string }[] = [
  { program: 'espeak-ng', debianPackage: 'espeak-ng' },
  { program: 'opusdec', debianPackage: 'opus-tools' },
];

/** The tests run faster in this browser, but do not require it. */
const HEADLESS_SHELL = 'chromium-headless-shell';

const hasProgram = (name: string): boolean => spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined;
const hasBrowser = (): boolean => findBrowser({ platform: process.platform, environment: process.env }) !== null;

/** Installs missing programs through apt where it can, otherwise prints how to. Resolves to whether a browser is available. */
export async function ensureTestPrograms(rootDir: string): Promise<boolean> {
  const missing = [
    ...(hasBrowser() ? [] : ['chromium']),
    ...PROGRAMS.filter(({ program }) => !hasProgram(program)).map(({ debianPackage }) => debianPackage),
  ];
  const isDebianRoot = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  const isQuicker = existsSync(`/usr/bin/${HEADLESS_SHELL}`);
  if (missing.length === 0 && (isQuicker || !isDebianRoot)) return true;
  if (isDebianRoot) {
    const apt = (...args: string[]): ReturnType<typeof runProgram> =>
      runProgram({
        program: 'apt-get',
        args,
        cwd: rootDir,
        environment: { DEBIAN_FRONTEND: 'noninteractive' },
        quiet: true,
      });
    const install = ['install', '-y', '-qq', '--no-install-recommends'];
    console.log(`Installing ${[...missing, HEADLESS_SHELL].join(', ')} …`);
    await apt('update', '-qq');
    if (missing.length > 0) {
      const { code, output } = await apt(...install, ...missing);
      if (code !== 0) console.log(output);
    }
    if (!isQuicker) await apt(...install, HEADLESS_SHELL);
  }
  if (!hasBrowser())
    console.log(
      'The end-to-end tests need Chromium, Chrome or Edge: install one (Debian: apt-get install chromium), or set PARLEY_BROWSER.',
    );
  return hasBrowser();
}
