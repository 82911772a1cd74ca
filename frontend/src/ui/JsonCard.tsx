import { Copy } from 'lucide-react';
import { useMemo } from 'react';
import { stringifyExact } from '../lib/exactJson';
import { bytes } from '../lib/format';
import { Button } from './Button';
import { Card } from './Card';
import { copy } from './copy';
import { JsonTree } from './JsonTree';

export function JsonCard({ title, value }: { title: string; value: unknown }) {
  const text = useMemo(() => stringifyExact(value), [value]);
  const note = (
    <>
      {bytes(new Blob([text]).size)}{' '}
      <Button look="ghost" iconOnly aria-label={`Copy ${title}`} onClick={() => copy(text)}>
        <Copy size={14} aria-hidden />
      </Button>
    </>
  );
  return (
    <Card title={title} note={note} padded>
      <JsonTree value={value} />
    </Card>
  );
}
