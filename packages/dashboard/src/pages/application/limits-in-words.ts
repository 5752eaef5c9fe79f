import type { ResponseOf } from '../../api/call.ts';

type Token = ResponseOf<'GET /operator/v1/applications/{applicationId}/agent-tokens'>['items'][number];

const listed = (title: string, names: readonly string[] | undefined): string[] =>
  names === undefined ? [] : [`${title}: ${names.join(', ') || 'none'}`];

/** Describes the limits of a token, or of all MCP clients, in words. The user of the token is omitted. */
export function limitsInWords(limits: Partial<Token['limits']>): string {
  const { account, connections, accounts, tools, proxy, readOnly, maxCalls, audience, approve } = limits;
  const words = [
    ...(account === undefined ? [] : [account === '' ? 'accounts without a label' : `label: ${account}`]),
    ...listed('connections', connections),
    ...listed('accounts', accounts),
    ...listed('tools', tools),
    ...listed('arguments of', limits.arguments && Object.keys(limits.arguments)),
    ...listed(
      'proxy',
      proxy?.map(({ methods, path }) => [...(methods ?? []), path].join(' ')),
    ),
    ...(readOnly ? ['read-only'] : []),
    ...(maxCalls === undefined ? [] : [`${maxCalls} calls`]),
    ...(audience === undefined ? [] : [`audience: ${audience}`]),
    ...(approve === undefined || approve === 'never'
      ? []
      : [`needs approval: ${[approve].flat().join(', ')}`]),
  ];
  return words.join('; ') || 'none';
}
