import { owner, stage } from './visit.ts';

const subject = (name: string): string => stage().subjects[name] ?? '';

/** Makes a call that needs approval, with an input that no other test uses. */
export async function askForAd(): Promise<{ readonly id: string; readonly run: () => Promise<unknown> }> {
  const { call } = await owner();
  const body = { connectedAccountId: subject('accountId'), toolInput: { ad_id: crypto.randomUUID() } };
  const run = () =>
    call('POST', `/applications/${subject('applicationId')}/tools/network_ad_get/execute`, body);
  const error = await run().catch(String);
  return { id: /appr_[0-9a-f]{24}/.exec(String(error))?.[0] ?? '', run };
}
