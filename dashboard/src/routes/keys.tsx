import { PageHead } from "../ui/index.ts";

export default function Keys() {
    return <PageHead title="Keys" />;
}
