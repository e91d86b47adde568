/** The installers by platform, with their checksums. */
import { formatConnectLink } from '@parley/contract';
import { assertNever } from '@parley/domain';
import type { Localizer } from '@parley/i18n';
import { type Html, html } from '../../web/html.ts';
import { PLATFORMS, type Release, type ReleaseKind } from './read-releases.ts';
import type { SitePage } from './site-layout.ts';

export const RELEASE_FILES_PATH = '/downloads/files';

const BYTES_A_MEGABYTE = 1_000_000;

export const downloadsPage = (localizer: Localizer, releases: readonly Release[], origin: string): SitePage => ({
  title: localizer.t('Downloads'),
  description: localizer.t('Parley for Windows, macOS and Linux, with checksums.'),
  path: '/downloads',
  body: html`<div class="hero">
      <h1>${localizer.t('Parley for your computer')}</h1>
      <p class="lead">
        ${localizer.t('Install it and start talking. It works without a network and without an account.')}
      </p>
      <p class="actions">
        <a class="button second" href="${formatConnectLink(origin)}">${localizer.t('Connect Parley to this server')}</a>
      </p>
    </div>
    ${releases.length === 0 ? html`<section><p class="two">${localizer.t('There are no installers here yet. Ask your school where to find them.')}</p></section>` : null}
    ${PLATFORMS.map((platform) =>
      platformSection(
        localizer,
        releases.filter((release) => release.platform === platform),
      ),
    )}`,
});

function platformSection(localizer: Localizer, releases: readonly Release[]): Html {
  const { t, formatDay, formatNumber } = localizer;
  const [first] = releases;
  if (first === undefined) return html``;
  return html`<section>
    <h2>${first.platform}</h2>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">${t('File')}</th>
            <th scope="col">${t('Version')}</th>
            <th scope="col">${t('Type')}</th>
            <th scope="col">${t('Size')}</th>
            <th scope="col">SHA-256</th>
          </tr>
        </thead>
        <tbody>
          ${releases.map(
            ({ file, version, releasedAt, kind, bytes, sha256 }) =>
              html`<tr>
                <th scope="row"><a href="${RELEASE_FILES_PATH}/${encodeURIComponent(file)}">${file}</a></th>
                <td>
                  ${version === null ? '–' : html`<bdi>${version}</bdi>`}
                  ${releasedAt === null ? null : html`<br /><time datetime="${releasedAt.toISOString()}">${formatDay(releasedAt, 'UTC')}</time>`}
                </td>
                <td>${kindName(localizer, kind)}</td>
                <td>${t('{size} MB', { size: formatNumber(Math.ceil(bytes / BYTES_A_MEGABYTE)) })}</td>
                <td><code dir="ltr">${sha256}</code></td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

function kindName({ t }: Localizer, kind: ReleaseKind): string {
  switch (kind) {
    case 'installer':
      return t('Installer');
    case 'disk_image':
      return t('Disk image');
    case 'app_image':
      return t('AppImage, runs without installing');
    case 'debian_package':
      return t('Package for Debian and Ubuntu');
    default:
      return assertNever(kind);
  }
}
