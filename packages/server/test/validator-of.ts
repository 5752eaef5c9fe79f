import type { Tool, ToolVersion } from '@svc/catalog';
import { methodName } from '@svc/codegen/source';
import type { InputValidator } from '@svc/core/validate';

/** What the package of a tool's connector judges the inputs of a version with. */
export async function validatorOf(
  tool: Tool,
  { schema_version, status }: ToolVersion,
): Promise<InputValidator<unknown>> {
  const name = `${methodName(tool)}Input${status === 'current' ? '' : `V${schema_version.replaceAll('.', '_')}`}`;
  const { [name]: validator } = await import(`@svc/${tool.connector}/validate`);
  if (validator === undefined) throw new Error(`@svc/${tool.connector}/validate has no ${name}`);
  return validator;
}
