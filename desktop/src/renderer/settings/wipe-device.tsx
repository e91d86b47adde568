/** Signs out a computer that was lost or given away and has it delete the account's data; asks for an e-mailed code. */
import { t } from '@parley/i18n';
import { Trans } from '@lingui/react';
import type { AccountDevice, DeviceWipes } from '@parley/contract';
import { Address, Banner, Button, Dialog, MutedText, Row } from '@parley/ui';
import type { ReactElement } from 'react';
import { ConfirmWithCode, useConfirmedRequest } from '../account/index.ts';
import { useHost } from '../foundation/host/host-context.tsx';
import { ErrorBanner } from '../foundation/screen/screen.tsx';

export interface WipeDeviceProps {
  device: AccountDevice;
  email: string;
  onClose: () => void;
  onRequested: (wipes: DeviceWipes) => void;
}

export function WipeDevice({ device, email, onClose, onRequested }: WipeDeviceProps): ReactElement {
  const { client } = useHost();
  const { request, requestCode, mustConfirm } = useConfirmedRequest(
    () => client.account.wipeDevice({ deviceId: device.deviceId }),
    onRequested,
  );
  return (
    <Dialog title={t('Sign out {value} and delete its data?', { value: device.name })} isOpen onClose={onClose}>
      {mustConfirm ? (
        <ConfirmWithCode
          intro={
            <Trans
              id="We’re sending a code to <0>{email}</0>. Enter it to delete the data on that computer."
              values={{ email }}
              components={{ 0: <Address /> }}
            />
          }
          action={t('Sign out and delete')}
          cancel={t('Cancel')}
          requestCode={requestCode}
          onConfirmed={() => request.mutate()}
          onClose={onClose}
        />
      ) : (
        <>
          <MutedText>
            {t(
              'When that computer next connects, Parley will delete this account’s data there: sessions, recordings, and the backups and exports in Parley’s folder. Files that you saved elsewhere will be kept.',
            )}
          </MutedText>
          <Banner tone="warn">
            {t(
              'Anything that computer hasn’t synced will be lost, and so will recordings that exist only there. You can’t undo this.',
            )}
          </Banner>
          {request.isError && <ErrorBanner error={request.error} />}
          <Row>
            <Button variant="danger" onPress={() => request.mutate()} isDisabled={request.isPending}>
              {t('Sign out and delete')}
            </Button>
            <Button onPress={onClose}>{t('Cancel')}</Button>
          </Row>
        </>
      )}
      {requestCode.isError && <ErrorBanner error={requestCode.error} />}
    </Dialog>
  );
}
