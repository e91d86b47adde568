/** The speech pack: what it is, where it comes from, its size and licence, shown before anything is downloaded. */
import { formatBytes, formatSeconds, t } from '@parley/i18n';
import type { SpeechPackDescription, SpeechPackOffer, SpeechPackState } from '@parley/contract';
import { Address, Banner, Button, Card, MutedText, Row, Stack, TextField } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { ErrorBanner } from '../foundation/screen/screen.tsx';
import { sentenceForCode } from '../foundation/sentences/error-sentence.ts';
import css from './settings.module.css';

const REFRESH_MS = 500;

export function SpeechPackCard(): ReactElement | null {
  const { queries } = useHost();
  const pack = useQuery(
    queries.speechPack.state.queryOptions({
      staleTime: 0,
      refetchInterval: ({ state }) => (state.data?.status === 'loading' ? REFRESH_MS : false),
    }),
  );
  const onSettled = async (): Promise<void> => void (await pack.refetch());
  const install = useMutation(queries.speechPack.install.mutationOptions({ onSettled }));
  const stop = useMutation(queries.speechPack.stop.mutationOptions({ onSettled }));
  const remove = useMutation(queries.speechPack.remove.mutationOptions({ onSettled }));
  const allowSlow = useMutation(queries.speechPack.allowSlow.mutationOptions({ onSettled }));
  if (pack.data === undefined) return null;
  const failed = [install, stop, remove, allowSlow].find(({ isError }) => isError);
  return (
    <Card>
      <h2>{t('Speech pack')}</h2>
      <MutedText>
        {t(
          'With a speech pack, Parley understands more of what you say in your own words, without a network. It’s a model that you download once; nothing that you say leaves this computer.',
        )}
      </MutedText>
      <PackState
        pack={pack.data}
        onInstall={(hash) => install.mutate({ hash })}
        onStop={() => stop.mutate()}
        onRemove={() => remove.mutate()}
        onAllowSlow={() => allowSlow.mutate()}
      />
      {failed !== undefined && <ErrorBanner error={failed.error} />}
    </Card>
  );
}

interface PackStateProps {
  pack: SpeechPackState;
  onInstall: (hash: string) => void;
  onStop: () => void;
  onRemove: () => void;
  onAllowSlow: () => void;
}

function PackState({ pack: state, onInstall, onStop, onRemove, onAllowSlow }: PackStateProps): ReactElement {
  if (state.status === 'none') return <FindPack onInstall={onInstall} />;
  const { pack } = state;
  const removeButton = (
    <Button variant="quiet" onPress={onRemove}>
      {t('Remove from this computer')}
    </Button>
  );
  switch (state.status) {
    case 'loading':
      return (
        <Row>
          <Progress pack={pack} bytes={state.bytes} />
          <Button variant="quiet" onPress={onStop}>
            {t('Stop')}
          </Button>
        </Row>
      );
    case 'interrupted':
      return (
        <Stack tight>
          <MutedText small>{interruptedSentence(state.failure)}</MutedText>
          <Row>
            <Progress pack={pack} bytes={state.bytes} />
            <Button onPress={() => onInstall(pack.hash)}>{t('Continue')}</Button>
            {removeButton}
          </Row>
        </Stack>
      );
    case 'damaged':
      return (
        <Banner tone="warn" action={removeButton}>
          {t(
            'A file in the speech pack is damaged. Remove the pack, then download it again. Your recordings are safe.',
          )}
        </Banner>
      );
    case 'ready':
      return (
        <Stack tight>
          <p>
            {t('{name} is ready: {size}, licence {licence}.', {
              name: pack.name,
              size: formatBytes(pack.totalBytes),
              licence: pack.licence,
            })}
          </p>
          <Speed {...state} onAllowSlow={onAllowSlow} />
          <Row>{removeButton}</Row>
        </Stack>
      );
  }
}

function Speed(props: { speed: number | null; isTooSlow: boolean; onAllowSlow: () => void }): ReactElement {
  const { speed, isTooSlow, onAllowSlow } = props;
  if (speed === null) return <MutedText small>{t('Its speed is measured when you first use it.')}</MutedText>;
  const duration = formatSeconds(speed);
  if (!isTooSlow)
    return <MutedText small>{t('It takes {duration} to transcribe each second of speech.', { duration })}</MutedText>;
  return (
    <Banner tone="warn" action={<Button onPress={onAllowSlow}>{t('Use it anyway')}</Button>}>
      {t(
        'It takes {duration} to transcribe each second of speech. That’s too slow for a conversation on this computer, so Parley asks you to write instead.',
        { duration },
      )}
    </Banner>
  );
}

function FindPack({ onInstall }: { onInstall: (hash: string) => void }): ReactElement {
  const { queries } = useHost();
  const [address, setAddress] = useState('');
  const server = useQuery(queries.server.read.queryOptions()).data;
  const find = useMutation(queries.speechPack.find.mutationOptions());
  const findPack = (from: string | null): void => find.mutate({ address: from });
  if (find.data !== undefined)
    return <Offer offer={find.data} onInstall={() => onInstall(find.data.hash)} onCancel={find.reset} />;
  return (
    <Stack tight>
      {server !== undefined && server.url !== null && (
        <Row>
          <Button onPress={() => findPack(null)} isDisabled={find.isPending}>
            {t('Check my school’s server')}
          </Button>
        </Row>
      )}
      <TextField
        label={t('Address of a speech pack')}
        value={address}
        onChange={setAddress}
        onSubmit={() => address.trim() !== '' && findPack(address)}
        maxLength={500}
      />
      <Row>
        <Button onPress={() => findPack(address)} isDisabled={address.trim() === '' || find.isPending}>
          {t('Check this address')}
        </Button>
      </Row>
      {find.isError && <ErrorBanner error={find.error} />}
    </Stack>
  );
}

function Offer(props: { offer: SpeechPackOffer; onInstall: () => void; onCancel: () => void }): ReactElement {
  const { offer, onInstall, onCancel } = props;
  const size = formatBytes(offer.totalBytes);
  return (
    <Stack tight>
      <p>{t('{name}: {size}, licence {licence}.', { name: offer.name, size, licence: offer.licence })}</p>
      {offer.source !== null && (
        <MutedText small>
          {t('About this model:')} <Address>{offer.source}</Address>
        </MutedText>
      )}
      <MutedText small>
        {t('It comes from:')} <Address>{offer.address}</Address>
      </MutedText>
      <MutedText small>
        {t('SHA-256 of its files:')} <Address>{offer.hash}</Address>
      </MutedText>
      <Row>
        <Button variant="primary" onPress={onInstall}>
          {t('Download {size}', { size })}
        </Button>
        <Button variant="quiet" onPress={onCancel}>
          {t('Not now')}
        </Button>
      </Row>
    </Stack>
  );
}

const Progress = ({ pack, bytes }: { pack: SpeechPackDescription; bytes: number }): ReactElement => (
  <>
    <progress
      className={css['progress']}
      value={bytes}
      max={pack.totalBytes}
      aria-label={t('Downloading the speech pack')}
    />
    <MutedText small>{t('{used} of {max}', { used: formatBytes(bytes), max: formatBytes(pack.totalBytes) })}</MutedText>
  </>
);

function interruptedSentence(failure: (SpeechPackState & { status: 'interrupted' })['failure']): string {
  if (failure === null) return t('The download was interrupted. It will continue where it stopped.');
  if (failure === 'damaged')
    return t(
      'A downloaded file doesn’t match the pack’s description. Try again, or ask the person who gave you the address.',
    );
  return sentenceForCode(failure);
}
