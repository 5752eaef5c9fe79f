interface ExportLinkProps {
  readonly href: string;
}

/** Link that downloads a list with its filters as a CSV file. */
export const ExportLink = ({ href }: ExportLinkProps) => (
  <a class="button" href={href} download>
    Export CSV
  </a>
);
