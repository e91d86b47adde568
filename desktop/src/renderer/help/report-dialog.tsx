/** Shows a report before it is saved. */
import { t } from '@parley/i18n';
import { Banner, Button, Dialog, Row } from '@parley/ui';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { ErrorBanner, QueryView } from '../foundation/screen/screen.tsx';
import { ReportText } from './report-text.tsx';

export function ReportDialog({ onClose }: { onClose: () => void }): ReactElement {
  const { client, queries } = useHost();
  const report = useQuery(queries.support.report.queryOptions({ staleTime: 0, gcTime: 0 }));
  const save = useMutation({ mutationFn: () => client.support.saveReport() });
  return (
    <Dialog title={t('Report')} isOpen onClose={onClose}>
      <QueryView query={report} loadingLabel={t('Checking')}>
        {({ text }) => (
          <>
            <ReportText text={text} />
            {save.data !== undefined && <Banner>{t('Saved as {file}', { file: save.data.file })}</Banner>}
            {save.isError && <ErrorBanner error={save.error} />}
            <Row>
              <Button variant="primary" onPress={() => save.mutate()} isDisabled={save.isPending || save.isSuccess}>
                {t('Save the report')}
              </Button>
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
