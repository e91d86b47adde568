/** The server setting: an address is checked, and its consequences are explained, before it is changed. */
import { t } from '@parley/i18n';
import type { ServerChoice } from '@parley/contract';
import { Address, Button, Card, MutedText } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { QueryView } from '../foundation/screen/screen.tsx';
import { sectionHeadingId } from '../foundation/screen/settings-sections.ts';
import { useScrollToSection } from '../foundation/screen/use-scroll-to-section.ts';
import { ChangeServerDialog, hostOf, type NextServer } from './change-server-dialog.tsx';
import css from './server-choice.module.css';
import { isOnThisComputer } from './is-on-this-computer.ts';
import { ServerField } from './server-field.tsx';

export function ServerCard(): ReactElement {
  const { queries } = useHost();
  const choice = useQuery(queries.server.read.queryOptions());
  useScrollToSection('server', choice.data !== undefined);
  return (
    <Card>
      <h2 id={sectionHeadingId('server')} tabIndex={-1}>
        {t('Server')}
      </h2>
      <QueryView query={choice} loadingLabel={t('Loading the server')}>
        {(now) => (
          <>
            <CurrentServer choice={now} />
            {now.from !== 'environment' && (
              <>
                <OtherProfiles choice={now} />
                <ServerField label={now.url === null ? t('Address of the server') : t('Address of another server')} />
              </>
            )}
          </>
        )}
      </QueryView>
    </Card>
  );
}

const ORIGIN_TEXT: Record<Exclude<ServerChoice['from'], null>, string> = {
  environment: t('Parley was started with this server, so it can’t be changed here.'),
  build: t('This server came with Parley.'),
  setting: t('You chose this server.'),
};

function CurrentServer({ choice: { url, from } }: { choice: ServerChoice }): ReactElement {
  if (url === null)
    return (
      <MutedText>
        {t(
          'None: everything stays on this computer. A server keeps your work on all your computers, and may offer live coaches. Your school or company can tell you its address.',
        )}
      </MutedText>
    );
  return (
    <div>
      <p>
        <Address>{url}</Address>
      </p>
      {from !== null && <MutedText small>{ORIGIN_TEXT[from]}</MutedText>}
      {isOnThisComputer(url) && (
        <MutedText small>{t('It runs on this computer, so your other computers can’t use it.')}</MutedText>
      )}
    </div>
  );
}

/** Where else this computer has work, or could have work. */
function OtherProfiles({ choice: { url, otherUrls } }: { choice: ServerChoice }): ReactElement | null {
  const [next, setNext] = useState<NextServer | null>(null);
  const places = url === null || otherUrls.includes(null) ? otherUrls : [null, ...otherUrls];
  if (places.length === 0) return null;
  return (
    <>
      <ul className={css['places']} aria-label={t('Other places to keep your work')}>
        {places.map((place) => {
          const name = place === null ? t('Only on this computer') : hostOf(place);
          return (
            <li key={place}>
              <Button
                variant="quiet"
                onPress={() =>
                  setNext({ url: place, relation: otherUrls.includes(place) ? 'known' : 'new', serverId: null })
                }
              >
                {t('Switch to “{name}”', { name })}
              </Button>
            </li>
          );
        })}
      </ul>
      <ChangeServerDialog
        to={next}
        onClose={() => setNext(null)}
        onAnswerChanged={({ url: to, relation, serverId }) => setNext({ url: to, relation, serverId })}
        onChanged={() => setNext(null)}
      />
    </>
  );
}
