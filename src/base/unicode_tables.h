/*
 * Properties of characters, Unicode 14.0.0.
 *
 * Written by tools/unicode-tables.pl; not to be edited.  Included by utf8.c
 * alone, which says how they are written.
 */

#ifndef PROMPT_BASE_UNICODE_TABLES_H
#define PROMPT_BASE_UNICODE_TABLES_H

#include <stdint.h>


/* what is said of the characters from the first one on */
typedef struct {
    uint32_t     first;
    const char  *text;
} prompt_unicode_line_t;


/* general categories */
static const prompt_unicode_line_t  prompt_unicode_categories[] = {
    { 0x00000, "/ZWiRTiRNORSRMhRpIhRiShR5ANROULU5BNSOSghZWRjTVRUVEPSaVUVShKU" },
    { 0x000b5, "BhRUKEQiKR2ASmA3BSnBABABABABABABABABABABABABABABABABABABABAB" },
    { 0x00128, "ABABABABABABABAhBABABABABABABABAhBABABABABABABABABABABABABAB" },
    { 0x00164, "ABABABABABABABABABABhABABAiBhABABhABiAhBjABhABiAiBhABhABABAB" },
    { 0x001a6, "hABAhBABhABiABABhAhBEAiBjEACBACBACBABABABABABABABAhBABABABAB" },
    { 0x001e6, "ABABABABAhBACBABiABABABABABABABABABABABABABABABABABABABABABA" },
    { 0x00223, "BABABABABABABABAmBhABhAhBABjABABABABAkiBE6BxDjUrDtUkDmUDUDwU" },
    { 0x00300, "vjFABABDUABhdDiBRAjdhUARiAdAdhABwAdoAihBAhBiAiBABABABABABABA" },
    { 0x003e5, "BABABABABAkBABSABhAhByhAvhBABABABABABABABABABABABABABABABABA" },
    { 0x00481, "BVkFhHABABABABABABABABABABABABABABABABABABABABABABABABABABAB" },
    { 0x004c0, "hABABABABABABAhBABABABABABABABABABABABABABABABABABABABABABAB" },
    { 0x004fc, "ABABABABABABABABABABABABABABABABABABABABABABABABABABdlhAhdD" },
    { 0x0055a, "lRohBRMhdhVTdshFMFRhFRhFRFnd6EjdjEhRqdlaiShRThRhVqFRaiR/EDpE" },
    { 0x0064b, "0FpIjRhEFijEREmFaVlFhDhFVjFhEpIiEhVEtRdaEF9E6Fhd4iEqFEtdpI" },
    { 0x007ca, "ghEoFhDViRDhdFhT1EjFDoFDiFDkFhduRd4EiFhdRdqEkd3EUlEdhaldnF" },
    { 0x008a0, "ohED3Fa/FG1hEFGFEiGnFjGFhGEmFpEhFhRpIRDuEFhGdnEhdhEhd1EdmEdE" },
    { 0x009b3, "idjEhdFEiGjFhdhGhdhGFEndGjdhEdiEhFhdpIhEhTlKVTERFhdhFGdlEjd" },
    { 0x00a0f, "hEhd1EdmEdhEdhEdhEhdFdiGhFjdhFhdiFidFmdjEdEmdpIhFiEFRpdhFGd" },
    { 0x00a85, "oEdiEd1EdmEdhEdkEhdFEiGkFdhFGdhGFhdEudhEhFhdpIRTmdElFdFhGdnE" },
    { 0x00b0d, "hdhEhd1EdmEdhEdkEhdFEGFGjFhdhGhdhGFmdhFGjdhEdiEhFhdpIVElKpdF" },
    { 0x00b83, "EdlEidiEdjEidhEdEdhEidhEidiEidrEjdhGFhGidiGdiGFhdEldGtdpIiK" },
    { 0x00bf3, "lVTVkdFiGFnEdiEd2EdvEhdFEiFjGdiFdjFmdhFdiEhdEhdhEhFhdpImdRmK" },
    { 0x00c7f, "VEFhGRnEdiEd2EdpEdkEhdFEGFkGdFhGdhGhFmdhGldhEdhEhFhdpIdhEsd" },
    { 0x00d00, "hFhGoEdiEdohEhFEiGjFdiGdiGFEVjdiEGmKiEhFhdpIoKVlEdFhGdxEid3E" },
    { 0x00db2, "doEdEhdmEidFjdiGiFdFdnGldpIhdhGRrdvhEFhEmFjdTlEDnFRpIhRkhdhE" },
    { 0x00e83, "dEdkEd3EdEdpEFhEoFEhdkEdDdlFhdpIhdjE/dEiVuRVRiVhFlVpIpKVFVFV" },
    { 0x00f39, "FNONOhGnEdjhEjdtFGkFRhFkEqFdjhFdnVFlVdhVkRjVhRkhdqhEhGjFGlFG" },
    { 0x01039, "hFhGhFEpIlRlEhGhFjEiFEiGhEmGiEjFsEFhGhFlGFEGpIiGFhVlhAdAkdA" },
    { 0x010ce, "hdqhBRDiBoqEdjEhdmEdEdjEhdohEdjEhdghEdjEhdmEdEdjEhduEd4hEdjE" },
    { 0x01316, "hdiiEhdiFoRzKidvEpVld1iAhdlBhdMrzEVRwEW5ENOidqiEiRiJnEmdxEiF" },
    { 0x01715, "GodyEhFGhRodxEhFrdsEdiEdhFrdzhEhFGmFnGFhGqFiRDiRTEFhdpIldpK" },
    { 0x017fa, "ldlRMjRiFaFpIldihED0hEmdkEhFhhEFEkdliEpd+EdiFjGhFiGjdhGFlGiF" },
    { 0x0193c, "jdVidhRpI9EhdkEqdrhEjd5EldpIKidhhV2EhFhGFhdhR0hEGFGmFdFGFhG" },
    { 0x01a65, "nFlGpFhdFpIldpIldmRDlRhdtFHvFwhdjFGuhEFGkFGFkGFhGnEidpImRpV" },
    { 0x01b6b, "oFoVhRdhFG9EGjFhGhFGiFhEpIrhEFGhFiGFGiFhGndjRjhEnGnFhGhFidkR" },
    { 0x01c40, "pIidiEpI9ElDhRoBmdqhAhdiAnRndiFRsFGmFjEFlEFhEGhFEkdrhB+hDsBD" },
    { 0x01d79, "hhBkhD/hFABABABABABABABABABABABABABABABABABABABABABABABABABA" },
    { 0x01e33, "BABABABABABABABABABABABABABABABABABABABABABABABABABABABABABA" },
    { 0x01e6f, "BABABABABABABABABABABABABABABABABABABAoBABABABABABABABABABAB" },
    { 0x01eb2, "ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB" },
    { 0x01eee, "ABABABABABABABABAoBnAlBhdlAhdnBnAnBnAlBhdlAhdnBdAdAdAdAnBnA" },
    { 0x01f70, "tBhdnBnCnBnCnBnCkBdhBjACUBiUiBdhBjACiUjBhdhBjAdiUnBkAiUhdiBd" },
    { 0x01ff6, "hBjAChUdqWkalMhRPQNhPQNPnRXYkaWoRPQjRhLiRSNOqRSRLpRWkadpaKD" },
    { 0x02072, "hdlKiSNODpKiSNOdsDidghTudsFjHFiHrFudhVAjVAhVBiAhBiABVAhVSkA" },
    { 0x0211e, "lVAVAVAVjAVBjABjEBhVhBhAkSAjBVShVBVvKihJABjJKhVjdkSkVhSjVShV" },
    { 0x021a3, "ShVSmVS+VhShVSVS+VroSnVNONOzVhSmVNOwiVS9V4SnhVlSkiV4dqV0d7hK" },
    { 0x0249c, "tiV1K2lVSoVS1hVnSujVS3nVNONONONONONONO9KrhVkSNO+SNONONONONO" },
    { 0x027f0, "vS/nVikSNONONONONONONONONONONO+hSNONO/SNOhoSvhV0ShVlSmhVhd/V" },
    { 0x02b96, "dojVvhAvhBABiAhBABABABjABAhBAlBhDiABABABABABABABABABABABABAB" },
    { 0x02c9a, "ABABABABABABABABABABABABABABABABABABABABABABABABABABABABABAB" },
    { 0x02cd6, "ABABABABABABAhBlVABABiFABkdjRKhRlhBdBkdBhd3hEmdDRtdF2EodmEd" },
    { 0x02da8, "mEdmEdmEdmEdmEdmEdmEd/FhRPQPQiRPQRPQoRMhRMRPQhRPQNONONONOkRD" },
    { 0x02e30, "pRhMjRMRNsRhViRNONONONOMhhd5Vd4iVrd1mV5drVjdWiRVDEJNONONONON" },
    { 0x03011, "OhVNONONONOMNhOVoJjFhGMkDhViJDERhVd1iEhdhFhUhDEM5iERiDEkdqhE" },
    { 0x03130, "d9iEdhVjKpV/EjhVrdvE+VdpK9VnKVuK/VpKmhVuK/pV/tmE/hV0w0ED2jhE" },
    { 0x0a48d, "id2hVodnhElDhRroEDiRvEpIhEzdABABABABABABABABABABABABABABABAB" },
    { 0x0a660, "ABABABABABABABEFiHRpFRDABABABABABABABABABABABABABABhDhFliEpJ" },
    { 0x0a6f0, "hFlRnd2UoDhUABABABABABABAiBABABABABABABABABABABABABABABABABA" },
    { 0x0a753, "BABABABABABABABABABABABABABABDnBABABhABABABABABDhUABABEABAiB" },
    { 0x0a796, "ABABABABABABABABABABkABkABABABABABABABABjABABkdABdBdBABAB3d" },
    { 0x0a7f2, "iDABEhDBmEFiEFjEF2EhGhFGjVFidlKhVTVldzhEjRndhGxhEvGhFndhRpI" },
    { 0x0a8da, "ldxFlEiRERhEFpI7EnFhR2EqFhGqdR8EidiFGuhEFhGjFhGhFiGsRdDpIjd" },
    { 0x0a9de, "hRkEFDoEpIkEdohElFhGhFhGhFodiEFnEFGhdpIhdjRvEDlEiVEGFGxhEFE" },
    { 0x0aab2, "iFhEhFkEhFEFE3dhEDhRqEGhFhGhREhDGFpdlEhdlEhdlEodmEdmEdqhBUjD" },
    { 0x0ab60, "oBDhUjdviBihEhGFhGFhGRGFhdpIldj9qErd2EjdwhEjd//hb/nmctrEhd" },
    { 0x0fa70, "pjElhdmBrdkBkdEFpESsEdkEdEdhEdhEdrjEwUvdqrEONvV/hEhd1hEmdV/d" },
    { 0x0fdf0, "rETiVvFmRNORldvFRhMhLNONONONONONONONOhRNOjRiLiRdjRMNONONOiRS" },
    { 0x0fe63, "MiSdRThRjdkEdmkEhdadiRTiRNORSRMhRpIhRiShR5ANROULU5BNSOSNORNO" },
    { 0x0ff64, "hRpEDshEhD+EidlEhdlEhdlEhdiEidhTSUVhTdVjShVpdiahVhdrEd5EdyEd" },
    { 0x1003c, "hEduEhdtEhhd6jEkdiRjdshKidoV0hJjKwVhKiVdsVidVuhdshVFhkd8Eid" },
    { 0x102a0, "whEudF6Kjd/EjKodzEJnEJkdlhEkFkd9EdRjhEjdnERkJphdnhAnhBtiEhd" },
    { 0x104a0, "pIldjhAjdjhBjdnhEndzhEqdRqAduAdmAdhAdqBduBdmBdhBiid2pEod1Epd" },
    { 0x10760, "nE3dlDdphDdoDkidlEhdEdrhEdhEidEhd2EdRnK2EhVmK+EndoKvhdyEdhE" },
    { 0x108f6, "kdkK1ElKidR5EkdR/hd3hEjdhKhEvKhdthKEiFdhFkdjFjEdiEd8EhdiFjdF" },
    { 0x10a40, "oKmdoRmd8EhKR8EiK/dnEV7EhFjdkKmRod1hEidmR1EhdnKyEkdnKxEmdjR" },
    { 0x10b9d, "rdmKvidoiE2hdyhAsdyhBmdlKjhEjFndpIlpd+KdphEdhFMhdhEtid8EpKE" },
    { 0x10f28, "nd1EqFjKkR1dxEjFjRlhd0EmKzd2EodGFG0hEuFmRjdzKpIFhEhFEodiFG" },
    { 0x11083, "shEiGjFhGhFhRajRFpdahd4EmdpIldiFjhEkFGnFdpIjREhGEndihEFhREod" },
    { 0x11180, "hFGvhEiGoFhGjEjRjFRGFpIEREiRdzKqdxEd4EiGiFhGFGhFlRFgidmEdEd" },
    { 0x1128a, "jEduEdpERlduhEFiGnFkdpIldhFhGdnEhdhEhd1EdmEdhEdkEdhFEhGFjGhd" },
    { 0x11347, "hGhdiGhdEldGkdkEhGhdmFidkFqkd0hEiGnFhGiFGFjEkRpIhRdRFiE9dvhE" },
    { 0x114b0, "iGlFGFjGhFGhFhEREndpIllduhEiGjFhdjGhFGhF2RjEhFhhdvhEiGnFhGFG" },
    { 0x1163f, "hFiREqdpIldsRydqhEFGFhGlFGFERldpI1hd6EhdiFhGjFGkFjdpIhKiRVmE" },
    { 0x11747, "4ldrhEiGoFGhFRjjd/A/BpIoKrdnEhdEhdnEdhEd3ElGdhGhdhFGFEGEGFiR" },
    { 0x11947, "odpIlidnEhdmhEiGjFhdhFjGFEREG6dEpFnhElFGEjFnRFndElFhGiFthEsF" },
    { 0x11a97, "GhFiREkRsdoiEmodoEdkhEGmFdlFGFEkRpdpIyKidhR9Ehd1FdGmFGhFGhF" },
    { 0x11cb7, "oidmEdhEdlhElFidFdhFdmFEFndpIldlEdhEd/EkGdhFdhGFGFEmdpI1pdyE" },
    { 0x11ef3, "hFhGhR2ldEud0KnVjTwVsdR58EljdujJdkRqdjmEryidgjEhRsduhhEdoa" },
    { 0x13439, "m+jdmyE4tod4xEmd+EdpIjdhRuiEdpIld9EhdkFRpdvhEmFkRjVjDRVpdpId" },
    { 0x16b5b, "mKd0EkdyEv1d/A/B2KjRkjdqiEjdFE2hGmdjFsD/hdhDRDFqdhGtd3/lEnd" },
    { 0x18800, "1mhEphdoEm3odjDdmDdhDdipEshdiEwdjEndrsEjoidqjEkdsEidoEmdpEhd" },
    { 0x1bc9c, "VhFRja7ykdthFhd2FodzjV7hd1nVpdmhVhd7hVhGiFiVlGnanFhVmF9VjF" },
    { 0x1d1ae, "8hV0dhiViFV5kdzKrd2iVod4Kmkd5A5B5AmBdxB5A5BAdhAhdAhdhAhdjAd" },
    { 0x1d4ae, "nAjBdBdmBdqB5A5BhAdjAhdnAdmAd5BhAdjAdkAdAidmAd5B5A5B5A5B5A5B" },
    { 0x1d608, "5A5B5A5B5A7Bhd4AS4BSlB4AS4BSlB4AS4BSlB4AS4BSlB4AS4BSlBABhd" },
    { 0x1d7ce, "xhI/vV2hFjVxhFnVFtVFhVkRudkFduFvihdpBEzBgndmFdwFhdmFdhFdkF" },
    { 0x1e02b, "0mdshEidmFmDhdpIjdEV/pd9EFwdrhEjFpIkdT/mhdmEdjEdhEduEdkmEhd" },
    { 0x1e8c7, "oKmFohdhhAhhBmFDjdpIjdhRw4d6hKViKTjKridshKVuKhmdjEd6EdhEdEhd" },
    { 0x1ee27, "EdpEdjEdEdEldEjdEdEdEdiEdhEdEhdEdEdEdEdEdhEdEhdjEdmEdjEdjEdE" },
    { 0x1ee7f, "dpEdwEkdiEdkEdwEzhdhStodrhVjdjjVrduVhduVduVdkhVpdsKglV3hd8V" },
    { 0x1f203, "sdrhVjdoVmdhVtdlV5kd6nVkU32VkdvVidsVidzjVrd4iVmdrVjdVudrVjd" },
    { 0x1f810, "3hVndpVldnhVnd9VhdhVtidzqVrdtVhdkVidkVidmVod8VidqVkdlVpdpVld" },
    { 0x1fae0, "nVndmVodykVd2hVkhdpIlghd/2phE/d4hkEmd9mEhdh0lEtdwpnE+gjd9wE" },
    { 0x2fa1e, "hvhdq6kE1l71da9d/ia/jdvnFvw/hd9//hchd9//hchd" }
};


/* Simple_Lowercase_Mapping */
static const prompt_unicode_line_t  prompt_unicode_to_lower[] = {
    { 0x00041, "yBgClDsBgCBMgChB9CCBAtMBJCCdCC5CCBAxHAJCDAkNAFCBA8MAACBC6M" },
    { 0x0018b, "ACCA+EAA0MAA2MAACBA6MAA+MBAmNAAiNAACDAmNAAqNBAsNAJCBA0NAAC" },
    { 0x001a9, "A0NCACBA0NAACBCyNAFCBA2NAACDACHAEAACBAEAACBAEAhBCChBCCAEAFC" },
    { 0x001f6, "AhGAAvDAtCCBAjIBhBCHA2iVAACBAlKAAwiVCACBAlMAAqEAAuEARChJFC" },
    { 0x00376, "ACIAoHGAsCBEqCBAgEBC+DBgBgCBQgCjBAQItBCFA3DCACBANAACCEjIAegF" },
    { 0x00410, "+BgCwBhCCJpDCBAeAZCC9FCCqCgDp6CqCgmOBAgmOFAgmOyW+Eg9rCAKQ" },
    { 0x01c90, "0C/7FCE/7FgKpJCJA97OB9FCJOPIKPKOPIOPIKPLNPIOPYOPIOPIOPICP" },
    { 0x01fba, "CzEAARLGrFAARLCPACnGMCPAC/GAANLC/HAC7HAARpJA51ODA9rQAArkQ" },
    { 0x02132, "A4BtBegBTACyZyB0Bw5B+CgDwBACBAt/UAAruHAAt+UCJCBA3hVAA5/U" },
    { 0x02c6f, "A9hVAA7hVBACCACIC9jVAlGCIFCEACtqe5CCT1BCnEZCD5DCKFCBAnglCARC" },
    { 0x0a78b, "ACBAvyyCCFCDlBCBAn0yCAA90yCAA10yCAAh0yCAAn0yCBAjxyCAAzyyC" },
    { 0x0a7b2, "ApxyCAAg6BAdCBA/CAAl0yCAAvjlCAFCGACFFCcACr5VyBgClmBuCwC" },
    { 0x104b0, "mCwC8EUuCBcuCBMuCBCuCq3BkDgEt/C+BgCgsV+BgCg1eiCkC" }
};

#endif /* PROMPT_BASE_UNICODE_TABLES_H */
