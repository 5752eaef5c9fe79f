import ipaddr from 'ipaddr.js';
import { isBlockedAddress } from '../http/blocked-addresses.js';

/** Names under which machines reach themselves, or where their cloud tells them secrets. */
const INSIDE_NAMES =
  /^(localhost|.+\.localhost|localhost\.localdomain|ip6-localhost|metadata|metadata\.google\.internal|metadata\.goog|instance-data|instance-data\.ec2\.internal|metadata\.azure\.internal|metadata\.tencentyun\.com|metadata\.platformequinix\.com)$/i;

const plainHost = (host: string): string => host.replace(/^\[|\]$/g, '').replace(/\.$/, '');

/** Whether a host is an address, or one of the known names, that only this machine or its network reaches. */
export function isInside(host: string): boolean {
  const plain = plainHost(host);
  return ipaddr.isValid(plain) ? isBlockedAddress(plain) : INSIDE_NAMES.test(plain);
}

/** Whether a host is this machine alone. */
export function isLoopback(host: string): boolean {
  const plain = plainHost(host);
  if (ipaddr.isValid(plain)) return ipaddr.process(plain).range() === 'loopback';
  return /^(localhost|.+\.localhost)$/i.test(plain);
}
