/** Opened with a course pack: explains where such a file belongs, and leads the person who runs the school there. */
import { t } from '@parley/i18n';
import { Address, Button, MutedText, Row, Stack } from '@parley/ui';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { useHost } from '../foundation/host/host-context.tsx';
import { QueryView, Screen } from '../foundation/screen/screen.tsx';

export function CoursePackScreen(): ReactElement {
  const { queries } = useHost();
  const navigate = useNavigate();
  const { file } = useSearch({ from: '/course-pack' });
  const choice = useQuery(queries.server.read.queryOptions());
  return (
    <Screen title={t('A course pack')} intro={<bdi>{file}</bdi>}>
      <QueryView query={choice} loadingLabel={t('Loading the server')}>
        {({ url }) => (
          <Stack>
            <p>
              {t(
                'A course pack contains a school’s courses. It’s imported on the school’s server; its courses then appear here, under Courses.',
              )}
            </p>
            {url === null ? <WithoutServer /> : <AdminPanel serverUrl={url} />}
            <Row>
              <Button variant="quiet" onPress={() => void navigate({ to: '/' })}>
                {t('Not now')}
              </Button>
            </Row>
          </Stack>
        )}
      </QueryView>
    </Screen>
  );
}

function WithoutServer(): ReactElement {
  return (
    <p>
      {t('Parley is used on this computer only, so there is no server to import it on.')}{' '}
      <Link to="/settings">{t('Connect to a server')}</Link>
    </p>
  );
}

/** Learners see the same, because the app does not know who runs the school; the panel requires signing in anyway. */
function AdminPanel({ serverUrl }: { serverUrl: string }): ReactElement {
  const panel = new URL('/admin/courses', serverUrl).href;
  return (
    <>
      <p>
        {t(
          'If you run the school, open its admin panel and choose this file under Courses → Import. You’ll see what would change before anything does. If someone else runs it, send them the file.',
        )}
      </p>
      <p>
        <a href={panel} target="_blank" rel="noopener noreferrer">
          {t('Open the admin panel')}
        </a>
      </p>
      <MutedText small>
        <Address>{panel}</Address>
      </MutedText>
    </>
  );
}
