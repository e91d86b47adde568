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

const hasProgram = (name: string): boolean => spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined;
const hasBrowser = (): boolean => findBrowser({ platform: process.platform, environment: process.env }) !== null;

/** Installs missing programs through apt where it can, otherwise prints how to. Resolves to whether a browser is available. */
export async function ensureTestPrograms(rootDir: string): Promise<boolean> {
  const missing = [
    ...(hasBrowser() ? [] : ['chromium']),
    ...PROGRAMS.filter(({ program }) => !hasProgram(program)).map(({ debianPackage }) => debianPackage),
  ];
  if (missing.length === 0) return true;
  const isDebianRoot = process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');
  if (isDebianRoot) {
    console.log(`Installing ${missing.join(', ')} …`);
    const environment = { DEBIAN_FRONTEND: 'noninteractive' };
    await runProgram({ program: 'apt-get', args: ['update', '-qq'], cwd: rootDir, environment, quiet: true });
    const install = ['install', '-y', '-qq', '--no-install-recommends', ...missing];
    const { code, output } = await runProgram({
      program: 'apt-get',
      args: install,
      cwd: rootDir,
      environment,
      quiet: true,
    });
    if (code !== 0) console.log(output);
  }
  if (!hasBrowser())
    console.log(
      'The end-to-end tests need Chromium, Chrome or Edge: install one (Debian: apt-get install chromium), or set PARLEY_BROWSER.',
    );
  return hasBrowser();
}
