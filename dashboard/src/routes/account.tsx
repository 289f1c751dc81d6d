import { PageHead } from "../ui/index.ts";

export default function Account() {
    return <PageHead title="Account" />;
}
