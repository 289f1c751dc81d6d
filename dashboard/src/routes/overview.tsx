import { PageHead } from "../ui/index.ts";

export default function Overview() {
    return <PageHead title="Overview" />;
}
