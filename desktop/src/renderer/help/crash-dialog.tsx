/** Shows a crash report word for word before it is sent or deleted. */
import { t } from '@parley/i18n';
import { crashReportText } from '@parley/contract';
import { Banner, Button, Dialog, MutedText, Row } from '@parley/ui';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { ErrorBanner, QueryView } from '../foundation/screen/screen.tsx';
import { ReportText } from './report-text.tsx';

export function CrashDialog({ onClose }: { onClose: () => void }): ReactElement {
  const { client, queries } = useHost();
  const cache = useQueryClient();
  const crashes = useQuery(queries.support.crashes.queryOptions({ staleTime: 0 }));
  const serverUrl = useQuery(queries.server.read.queryOptions()).data?.url ?? null;
  const refresh = (): Promise<void> => cache.invalidateQueries({ queryKey: queries.support.crashes.key() });
  const send = useMutation({
    mutationFn: (ids: string[]) => client.support.sendCrashes({ ids }),
    // Some reports may have been sent before one failed.
    onSettled: refresh,
  });
  const remove = useMutation({
    mutationFn: () => client.support.deleteCrashes(),
    onSuccess: onClose,
    onSettled: refresh,
  });
  return (
    <Dialog title={t('Crash reports')} isOpen onClose={onClose}>
      <QueryView query={crashes} loadingLabel={t('Loading')}>
        {(reports) => (
          <>
            {send.isSuccess && <Banner>{t('Sent. Thank you, this helps us find the problem.')}</Banner>}
            {reports.length > 0 && (
              <>
                <MutedText>
                  {serverUrl === null
                    ? t('There’s no server to send this to. It stays on this computer.')
                    : t('This is exactly what will be sent to {host}, and nothing else:', {
                        host: new URL(serverUrl).host,
                      })}
                </MutedText>
                <ReportText text={reports.map(crashReportText).join('\n\n')} />
              </>
            )}
            {send.isError && <ErrorBanner error={send.error} />}
            {remove.isError && <ErrorBanner error={remove.error} />}
            <Row>
              {reports.length > 0 && serverUrl !== null && (
                <Button
                  variant="primary"
                  onPress={() => send.mutate(reports.map(({ id }) => id))}
                  isDisabled={send.isPending}
                >
                  {send.isPending ? t('Sending…') : t('Send')}
                </Button>
              )}
              {reports.length > 0 && (
                <Button onPress={() => remove.mutate()} isDisabled={remove.isPending}>
                  {t('Delete')}
                </Button>
              )}
              <Button variant="quiet" onPress={onClose}>
                {t('Close')}
              </Button>
            </Row>
          </>
        )}
      </QueryView>
    </Dialog>
  );
}
